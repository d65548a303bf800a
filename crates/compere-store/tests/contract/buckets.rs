//! Limits that several services share.

use compere_store::Drawn;

use crate::Fresh;

pub async fn what_many_draw_is_no_more_than_there_is(fresh: Fresh) {
    let draw = async |wanted| fresh.store.draw("ada", 60, wanted).await.expect("draws");
    assert_eq!(draw(50).await, Drawn { granted: 50, left: 10, wait: 0 });
    assert_eq!(draw(50).await, Drawn { granted: 10, left: 0, wait: 0 }, "what is left");
    assert_eq!(draw(1).await, Drawn { granted: 0, left: 0, wait: 1001 });
    fresh.clock.advance(1500);
    assert_eq!(draw(5).await, Drawn { granted: 1, left: 0, wait: 0 });
    fresh.clock.advance(500);
    assert_eq!(draw(5).await.granted, 1, "halves are not lost");
    assert_eq!(fresh.store.draw("ben", 1, 7).await.expect("draws").granted, 1, "another's is another");
    fresh.clock.advance(-10_000);
    assert_eq!(draw(1).await.granted, 0, "a clock that is behind gains nothing");
    fresh.clock.advance(10_000);
    assert_eq!(draw(1).await.granted, 0, "nor does whoever comes next");
    fresh.store.refill("ada").await.expect("fills");
    assert_eq!(draw(60).await.granted, 60);
    fresh.clock.advance(60_000);
    assert_eq!(draw(60).await.granted, 60, "a minute later");
    fresh.clock.advance(61_000);
    assert_eq!(fresh.store.forget_buckets().await.expect("forgets"), 2);
    assert_eq!(draw(60).await.granted, 60);
}

pub async fn those_who_draw_at_once_share(fresh: Fresh) {
    let services = (0..8).map(|_| {
        let store = fresh.store.clone();
        tokio::spawn(async move {
            let mut got = 0;
            for _ in 0..20 {
                got += store.draw("ada", 100, 3).await.expect("draws").granted;
            }
            got
        })
    });
    let services: Vec<_> = services.collect();
    let mut got = 0;
    for service in services {
        got += service.await.expect("ends");
    }
    assert_eq!(got, 100);
}
