//! What every database has to keep: one suite, run on SQLite and on PostgreSQL.

#![expect(clippy::print_stdout, reason = "the last line before a failure names the scenario")]

mod accounts;
mod ahead;
mod backup;
mod buckets;
mod exports;
mod fonts;
mod holds;
mod hooks;
mod lives;
mod media;
mod migrate;
mod objects;
mod parts;
mod postgres;
mod presenters;
mod projects;
mod spread;

use std::sync::Arc;

use compere_media::{Format, Orientation, Resolution};
use compere_store::{
    Account, Announcement, Before, Command, Ended, Export, HookMethod, IssuedKey, NewAccount, NewExport, NewProject,
    News, Order, Plan, Priority, Project, ProjectKind, Refused, Role, Store, TestClock, Webhook,
};
use serde_json::{Value, json};

/// A database with nothing in it, and its clock.
#[derive(Debug)]
pub struct Fresh {
    pub store: Store,
    pub clock: Arc<TestClock>,
    /// How to open it once more, as another process would.
    pub url: String,
}

pub const NOON: i64 = 1_767_268_800_000; // 1 January 2026, 12:00 UTC

impl Fresh {
    pub async fn at(url: String) -> Self {
        let clock = Arc::new(TestClock::at(NOON));
        let store = Store::open(&url, plans(), clock.clone()).await.expect("opens");
        Self { store, clock, url }
    }

    pub async fn account(&self, email: &str, plan: &str) -> Account {
        let new = NewAccount {
            email: email.to_owned(),
            name: "Somebody".to_owned(),
            password: Some("$argon2id$not-a-hash".to_owned()),
            role: Role::Member,
            plan: plan.to_owned(),
        };
        self.store.create_account(new).await.expect("creates")
    }

    /// Creates a project and asks for its export.
    pub async fn ask(&self, account: &Account, name: &str, reserve: i64) -> Result<Project, Refused> {
        let before = Before::Create(Box::new(project_of(account, name)));
        self.store.start_export(before, export_of(account, "", reserve)).await.expect("stores")
    }

    /// A token for a pair that is right.
    pub async fn token(&self, key: &IssuedKey) -> String {
        let paired = self.store.pair(&key.app_id, &key.user_key).await.expect("asks").expect("right");
        self.store.issue_token(&paired).await.expect("issues")
    }

    pub async fn claim(&self) -> Option<Export> {
        self.store.claim_export("w", 30_000).await.expect("asks").map(|claimed| claimed.export)
    }

    /// What whoever has an export says; answers what it is to do.
    pub async fn tell(&self, export: &Export, news: News) -> Vec<Command> {
        let holder = (export.id.as_str(), export.fence);
        self.store.tell_export(holder, news, 30_000, &silence).await.expect("tells").commands
    }

    /// The same; answers whether it is over by that.
    pub async fn ends(&self, export: &Export, news: News) -> bool {
        self.tell(export, news).await.iter().any(|command| matches!(command, Command::End(_)))
    }
}

fn plans() -> Vec<Plan> {
    let mut plans = Plan::built_in();
    plans.push(Plan {
        name: "tiny".to_owned(),
        monthly_credits: Some(10),
        parallel_exports: 2,
        queued_exports: 5,
        ..Plan::api()
    });
    plans
}

pub fn body(scenes: usize) -> Value {
    json!({"name": "News", "orientation": "landscape", "scenes": vec![json!({"sceneIdx": 0, "unknown": "kept"}); scenes]})
}

pub fn project_of(account: &Account, name: &str) -> NewProject {
    NewProject {
        id: None,
        account: account.id.clone(),
        workspace: None,
        name: name.to_owned(),
        orientation: Orientation::Landscape,
        kind: ProjectKind::Scenes,
        body: body(2),
        request: None,
        callback_id: Some("call me".to_owned()),
        importing: None,
    }
}

pub fn export_of(account: &Account, project: &str, reserve: i64) -> NewExport {
    NewExport {
        project: project.to_owned(),
        account: account.id.clone(),
        order: Order { name: "News".to_owned(), resolution: Resolution::P1080, format: Format::Mp4, snapshot: body(2) },
        priority: Priority::Usual,
        webhook: Some(Webhook { url: "https://example.com/hook".to_owned(), method: HookMethod::Post }),
        callback_id: None,
        reserve,
        test: false,
        warnings: vec![json!({"path": "scenes[0]", "message": "odd"})],
        presenters: Vec::new(),
    }
}

/// Nobody is told.
pub fn silence(_: &Export, _: &Ended) -> Option<Announcement> {
    None
}

/// Runs every scenario on databases that `fresh` opens; `file` opens such as lie in a file.
macro_rules! suite {
    ($fresh:expr, $file:expr) => {{
        macro_rules! scenario {
            ($path:path) => {{
                println!("{}", stringify!($path));
                $path($fresh().await).await;
            }};
        }
        scenario!(accounts::an_account_has_one_address_in_any_case);
        scenario!(accounts::sessions_end_with_the_password);
        scenario!(accounts::suspension_ends_tokens_and_sessions);
        scenario!(accounts::tokens_live_a_day_and_die_with_their_key);
        scenario!(accounts::an_invitation_works_once_and_for_a_week);
        scenario!(accounts::workspaces_are_their_owners);
        scenario!(accounts::webhook_secrets_overlap);
        scenario!(accounts::secrets_are_not_in_the_database);
        scenario!(projects::a_project_comes_back_as_it_was_stored);
        scenario!(projects::edits_keep_the_old_and_refuse_the_outdated);
        scenario!(projects::lists_are_pages_of_what_was_asked_for);
        scenario!(projects::deleting_takes_own_ones_only_and_stops_exports);
        scenario!(projects::uploads_and_settings_are_kept);
        scenario!(projects::a_request_is_answered_once);
        scenario!(exports::an_export_is_accepted_whole_or_not_at_all);
        scenario!(exports::an_export_ends_once);
        scenario!(exports::a_fence_keeps_late_workers_out);
        scenario!(exports::turns_are_fair);
        scenario!(exports::a_full_queue_and_an_empty_purse_say_so);
        scenario!(exports::tests_cost_nothing_and_are_short);
        scenario!(exports::cancelling_gives_the_credits_back);
        scenario!(exports::recovery_puts_the_running_back);
        scenario!(exports::credits_come_back_with_the_month);
        scenario!(exports::files_go_when_nobody_needs_them);
        scenario!(exports::credits_add_up_under_concurrency);
        scenario!(exports::books_can_be_read_and_the_clock_may_go_back);
        scenario!(lives::any_order_of_events_leaves_what_the_machine_says);
        scenario!(lives::two_who_end_an_export_at_once_end_it_once);
        scenario!(lives::an_export_is_cancelled_in_every_state);
        scenario!(media::what_an_account_takes_is_counted);
        scenario!(media::a_copy_keeps_the_slides_of_a_deleted_original);
        scenario!(media::links_in_other_hands_keep_nothing);
        scenario!(media::older_records_are_counted);
        scenario!(media::a_new_secret_renews_every_text_with_links);
        scenario!(fonts::a_font_is_its_accounts_and_one_takes_the_place_of_another);
        scenario!(fonts::a_deleted_font_stays_for_films_that_were_asked_for_before);
        scenario!(presenters::a_presenter_belongs_to_its_account_and_goes_its_way);
        scenario!(presenters::a_designed_presenter_needs_nobodys_consent);
        scenario!(presenters::files_that_takes_are_copies_of_are_found_with_what_else_uses_them);
        scenario!(presenters::outfits_are_found_with_whoever_wears_them);
        scenario!(presenters::who_is_shown_takes_it_away_with_a_code);
        scenario!(holds::one_database_has_one_service);
        scenario!(holds::a_farm_and_a_single_service_refuse_each_other);
        scenario!(buckets::what_many_draw_is_no_more_than_there_is);
        scenario!(buckets::those_who_draw_at_once_share);
        scenario!(spread::what_may_run_is_known_to_everybody);
        scenario!(spread::a_turn_is_for_the_next_of_its_account);
        scenario!(spread::what_a_lost_holder_had_is_taken_up_by_others);
        scenario!(spread::turns_at_once_take_up_each_export_once);
        scenario!(parts::a_film_is_shared_out_from_both_ends);
        scenario!(parts::what_somebody_dead_had_is_free_again);
        scenario!(parts::nobody_helps_while_there_is_something_to_lead);
        scenario!(parts::presenters_come_before_speech_and_with_it_before_pictures);
        scenario!(ahead::what_was_saved_last_is_prepared_once_and_when_nothing_waits);
        scenario!(parts::whoever_asks_at_once_gets_another_part);
        scenario!(hooks::a_webhook_is_stored_with_the_end_and_tried_until_it_is_over);
        scenario!(hooks::leases_keep_two_carriers_apart);
        scenario!(hooks::endpoints_hear_what_they_chose);
        println!("backup::a_backup_is_restored_as_it_was");
        backup::a_backup_is_restored_as_it_was($fresh().await, $fresh().await).await;
        println!("migrate::…");
        migrate::an_installation_moves_and_moves_back($file().await, $fresh().await, $file().await).await;
        migrate::a_target_that_is_not_empty_is_refused($file().await, $fresh().await).await;
    }};
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_the_contract() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    let mut fresh = || {
        count += 1;
        Fresh::at(format!("sqlite:{}/{count}.db", dir.path().display()))
    };
    let mut files = 0;
    let mut file = || {
        files += 1;
        Fresh::at(format!("sqlite:{}/file{files}.db", dir.path().display()))
    };
    suite!(fresh, file);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_keeps_the_contract() {
    let server = postgres::Server::start();
    let mut count = 0;
    let mut fresh = || {
        count += 1;
        Fresh::at(server.database(&format!("contract{count}")))
    };
    let dir = tempfile::tempdir().expect("a folder");
    let mut files = 0;
    let mut file = || {
        files += 1;
        Fresh::at(format!("sqlite:{}/{files}.db", dir.path().display()))
    };
    suite!(fresh, file);
}

/// A statement that no scenario runs has been seen on no database.
#[test]
fn every_method_of_the_store_is_in_a_scenario() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |sub: &str| -> String {
        let files = std::fs::read_dir(dir.join(sub)).expect("a folder").map(|entry| entry.expect("an entry").path());
        files
            .filter(|path| path.extension().is_some_and(|e| e == "rs"))
            .map(|path| std::fs::read_to_string(path).expect("reads"))
            .collect()
    };
    let (source, scenarios) = (read("src") + &read("src/exports"), read("tests/contract"));
    let names = source.split("pub async fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
    let unseen: Vec<&str> = names
        .filter(|name| !scenarios.contains(&format!(".{name}(")) && !scenarios.contains(&format!("::{name}(")))
        .collect();
    assert!(unseen.is_empty(), "not exercised: {unseen:?}");
}
