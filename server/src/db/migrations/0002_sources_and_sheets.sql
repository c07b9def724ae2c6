-- What a call with an Idempotency-Key was answered, written in the transaction of its effect.
create table idempotency_keys (
  actor_id integer not null,
  call text not null,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (actor_id, call, key)
);
create index idempotency_keys_by_time on idempotency_keys (created_at);

create table sources (
  id bigint primary key generated always as identity,
  platform text not null check (platform in
    ('TELEGRAM', 'OK', 'VK', 'TWITTER', 'WEB', 'FACEBOOK', 'ADMIXER', 'YOUTUBE', 'TIKTOK')),
  url text not null,
  country char(2),
  created_at timestamptz not null default now(),
  created_by integer,
  updated_at timestamptz not null default now(),
  updated_by integer
);
create unique index sources_by_url on sources (platform, url);

create table sheets (
  id integer primary key generated always as identity,
  title text not null,
  header text[] not null,
  row_count integer not null,
  outcomes jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by integer,
  updated_at timestamptz not null default now(),
  updated_by integer
);

-- Numbers have no gaps, so that any part of a million rows is read by its place alone.
create table sheet_rows (
  sheet_id integer not null references sheets on delete cascade,
  number integer not null,
  cells text[] not null,
  outcome text,
  primary key (sheet_id, number)
);
create index sheet_rows_by_outcome on sheet_rows (sheet_id, outcome, number) where outcome is not null;
