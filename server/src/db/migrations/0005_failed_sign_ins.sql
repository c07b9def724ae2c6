-- Failed sign-ins by email and network. Only a digest of the email is kept: people also type passwords into that field.
-- It takes the place of login_failures, which stays for as long as servers of the last release may run beside this one.
-- Pending attempts are those whose password is being checked right now.
create table failed_sign_ins (
  email_hash bytea not null,
  network text not null,
  failures integer not null,
  pending integer not null,
  changed_at timestamptz not null,
  primary key (email_hash, network)
);
create index failed_sign_ins_by_time on failed_sign_ins (changed_at);
