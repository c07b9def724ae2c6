-- The ID token of the single sign-on provider, which its sign-out needs. Encrypted with the token of the session, which is
-- not in the database.
alter table sessions add column id_token bytea;
