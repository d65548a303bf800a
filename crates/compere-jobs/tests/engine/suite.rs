//! What has to hold for every engine, whoever drives it.

/// The whole suite for one engine: a function that starts it.
macro_rules! conforms {
    ($engine:ident) => {
        conforms!($engine:
            conformance {
                every_way_to_end_ends_once_and_the_credits_add_up,
                a_cancelled_export_stops_soon_and_costs_nothing,
                a_deleted_project_ends_without_a_word,
                a_stopped_service_hands_its_exports_back_and_the_next_goes_on,
                hours_forward_neither_take_away_nor_double,
                hours_back_hold_nothing_up,
                an_export_in_nobodys_hands_is_taken_up_again,
                accounts_take_turns_and_only_own_exports_are_passed,
                the_same_error_of_ours_is_met_twice_and_no_more,
                an_account_that_cannot_be_read_has_no_larger_plan,
                an_export_is_cancelled_in_every_state,
                engines_come_and_go_and_nothing_is_lost_or_doubled,
            }
            hooks {
                every_answer_is_understood_and_written_down,
                a_dead_receiver_delays_nobody,
                three_days_of_silence_are_enough,
            }
        );
    };
    ($engine:ident: $($suite:ident { $($scenario:ident),+ $(,)? })+) => {
        mod $engine {
            mod conforms {
                $($(
                    #[tokio::test]
                    async fn $scenario() {
                        crate::$suite::$scenario(crate::$engine).await;
                    }
                )+)+
            }
        }
    };
}
