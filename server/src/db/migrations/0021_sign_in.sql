-- More ways to sign in than a password, and what goes with them.

-- Auditors see everything and change nothing. Not checked for the rows that exist, whose new column is false.
alter table users
  add column is_auditor boolean not null default false,
  -- False for invited users and for users who only sign in through single sign-on: nobody knows the password of their hash.
  add column has_password boolean not null default true,
  add constraint auditors_are_no_admins check (not (is_auditor and (is_admin or is_super_admin))) not valid;

alter table sessions
  add column id integer generated always as identity unique,
  -- How the user signed in.
  add column method text not null default 'password',
  -- When the user last proved who they are.
  add column proved_at timestamptz not null default now();
update sessions set proved_at = created_at;

-- Sign-ins that are not finished: the second factor or the answer of the single sign-on provider is missing.
create table pending_sign_ins (
  token_hash bytea primary key,
  kind text not null,
  -- Null until the provider of single sign-on has answered.
  user_id integer references users on delete cascade,
  data jsonb not null default '{}',
  expires_at timestamptz not null
);
create index pending_sign_ins_of_user on pending_sign_ins (user_id);
create index pending_sign_ins_by_end on pending_sign_ins (expires_at);

-- Authenticator apps. The secrets are encrypted with a key that is not in the database.
create table authenticators (
  user_id integer primary key references users on delete cascade,
  -- Null until a code of the new secret was entered.
  secret bytea,
  new_secret bytea,
  -- The time step of the last code that was accepted: neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  confirmed_at timestamptz
);

create table passkeys (
  id integer primary key generated always as identity,
  user_id integer not null references users on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

-- Each is used once. The user is null when someone signs in with a passkey alone.
create table passkey_challenges (
  challenge text primary key,
  purpose text not null,
  user_id integer references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

-- All codes of a user have the same salt, so that one hash is enough to check a code.
create table recovery_codes (
  user_id integer not null references users on delete cascade,
  salt bytea not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The columns that sessions have too have the same names.
create table api_tokens (
  token_hash bytea primary key,
  id integer not null generated always as identity unique,
  user_id integer not null references users on delete cascade,
  name text not null,
  is_read_only boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_seen_at timestamptz,
  ip text
) with (fillfactor = 80);
create unique index api_tokens_by_name on api_tokens (user_id, lower(name));

-- Links that set a password or sign in. A user has one of a kind: a newer one replaces it.
create table one_time_links (
  user_id integer not null references users on delete cascade,
  kind text not null,
  token_hash bytea not null unique,
  created_by integer,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind)
);
create index one_time_links_by_end on one_time_links (expires_at);

-- Mails that wait to be sent. They contain no links: a link is created when its mail is sent.
create table mails (
  id integer primary key generated always as identity,
  kind text not null,
  email text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  send_at timestamptz not null default now(),
  tries integer not null default 0,
  leased_until timestamptz
);
create index mails_by_time on mails (send_at, id);
-- An address waits for one link at most. The row stays for a minute after it was sent, with an infinite `send_at`.
create unique index mails_forgotten on mails (email) where kind = 'forgotten_password';

-- Which account of a single sign-on provider belongs to which user.
create table sso_accounts (
  issuer text not null,
  subject text not null,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index sso_accounts_of_user on sso_accounts (user_id);

-- What others changed about how a user signs in. Shown until the user dismisses it.
create table account_notices (
  id integer primary key generated always as identity,
  user_id integer not null references users on delete cascade,
  kind text not null,
  actor_name text,
  at timestamptz not null default now()
);
create index account_notices_of_user on account_notices (user_id);
