-- A constant, encrypted with the key of authenticator apps: at its start, a server with another key can tell.
create table secret_key_check (
  id integer primary key default 1 check (id = 1),
  sealed bytea not null
);
