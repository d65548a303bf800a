//! The first start: an administrator and a key pair, told once.

use compere_store::{NewAccount, Role, Store, hash_password, hex, random_bytes};

/// What is printed once and never again.
#[derive(Debug, Clone)]
pub struct First {
    pub email: String,
    pub password: String,
    pub app_id: String,
    pub user_key: String,
}

/// Makes the administrator when there is no account yet.
pub async fn first_run(store: &Store) -> Result<Option<First>, String> {
    let say = |error: compere_store::StoreError| error.to_string();
    if !store.accounts().await.map_err(say)?.is_empty() {
        return Ok(None);
    }
    let password = hex(&random_bytes::<10>());
    let hash = {
        let password = password.clone();
        tokio::task::spawn_blocking(move || hash_password(&password)).await.map_err(|error| error.to_string())?
    };
    let admin = store
        .create_account(NewAccount {
            email: "admin@compere.local".to_owned(),
            name: "Administrator".to_owned(),
            password: Some(hash),
            role: Role::Admin,
            plan: "unlimited".to_owned(),
        })
        .await
        .map_err(say)?;
    let key = store.issue_key(&admin, "first", None).await.map_err(say)?;
    Ok(Some(First { email: admin.email, password, app_id: key.app_id, user_key: key.user_key }))
}
