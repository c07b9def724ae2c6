-- The host name that a passkey is for. Null until the first use, for those of an earlier release.
alter table passkeys add column rp_id text;

-- By which authenticators tell the users of a site apart. Random, so that it says nothing about the user.
create table passkey_handles (
  user_id integer primary key references users on delete cascade,
  handle bytea not null
);
