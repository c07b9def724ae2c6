create extension if not exists pg_trgm;

-- How many live rows each range of 65,536 ids has, kept by statement triggers so that a list neither counts a million
-- rows nor walks over them. Sixteen shards, chosen by backend, keep writers from queueing behind one hot row.
create table row_counts (
  table_name text not null,
  id_range integer not null,
  shard smallint not null,
  live bigint not null default 0,
  primary key (table_name, id_range, shard)
) with (fillfactor = 50);

create function count_inserted() returns trigger language plpgsql as $$
begin
  insert into row_counts as counts (table_name, id_range, shard, live)
  select tg_table_name, id >> 16, pg_backend_pid() % 16, count(*) from new_rows
  where deleted_at is null group by 2 order by 2
  on conflict (table_name, id_range, shard) do update set live = counts.live + excluded.live;
  return null;
end $$;

create function count_updated() returns trigger language plpgsql as $$
begin
  insert into row_counts as counts (table_name, id_range, shard, live)
  select tg_table_name, id >> 16, pg_backend_pid() % 16, sum(change) from (
    select id, 1 as change from new_rows where deleted_at is null
    union all
    select id, -1 from old_rows where deleted_at is null
  ) changes
  group by 2 having sum(change) <> 0 order by 2
  on conflict (table_name, id_range, shard) do update set live = counts.live + excluded.live;
  return null;
end $$;

create function count_deleted() returns trigger language plpgsql as $$
begin
  insert into row_counts as counts (table_name, id_range, shard, live)
  select tg_table_name, id >> 16, pg_backend_pid() % 16, - count(*) from old_rows
  where deleted_at is null group by 2 order by 2
  on conflict (table_name, id_range, shard) do update set live = counts.live + excluded.live;
  return null;
end $$;

create function count_appended() returns trigger language plpgsql as $$
begin
  insert into row_counts as counts (table_name, id_range, shard, live)
  select tg_table_name, id >> 16, pg_backend_pid() % 16, count(*) from new_rows group by 2 order by 2
  on conflict (table_name, id_range, shard) do update set live = counts.live + excluded.live;
  return null;
end $$;

create table workspaces (
  id integer primary key generated always as identity,
  name text not null,
  description text not null,
  status text check (status in
    ('INTERNAL', 'DEACTIVATED', 'TRIAL', 'FREE_ACCESS', 'PAID_CLIENT', 'PAID_CLIENT_UCBI', 'PAID_CLIENT_I3')),
  trial_end_date date,
  analytical_quota jsonb not null,
  ai_quota jsonb not null,
  config jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by integer,
  deleted_at timestamptz,
  search_text text not null generated always as (lower(name || E'\n' || description)) stored,
  check (status <> 'TRIAL' or trial_end_date is not null)
);
create index workspaces_by_id on workspaces (id) where deleted_at is null;
create index workspaces_by_name on workspaces (lower(name), id) include (name) where deleted_at is null;
create index workspaces_by_status on workspaces (status, id) where deleted_at is null;
create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null;
create index workspaces_search on workspaces using gin (search_text gin_trgm_ops);

create table users (
  id integer primary key generated always as identity,
  workspace_id integer not null references workspaces,
  first_name text not null,
  last_name text not null,
  email text not null,
  password_hash text not null,
  is_admin boolean not null,
  is_super_admin boolean not null,
  type text not null check (type in ('UNDERPRIVILEGED', 'STANDARD', 'MODERATOR')),
  language text not null check (language in ('EN', 'UK', '')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by integer,
  deleted_at timestamptz,
  deleted_with_workspace boolean not null default false,
  full_name text not null generated always as (first_name || ' ' || last_name) stored,
  search_text text not null generated always as (lower(first_name || ' ' || last_name || E'\n' || email)) stored
);
create unique index users_by_email on users (lower(email)) where deleted_at is null;
create index users_by_id on users (id) where deleted_at is null;
-- The plain column is included because PostgreSQL reads no expression from an index alone.
create index users_sorted_by_email on users (lower(email), id) include (email) where deleted_at is null;
create index users_sorted_by_full_name on users (lower(full_name), id) include (full_name) where deleted_at is null;
create index users_of_workspace on users (workspace_id, id) where deleted_at is null;
create index users_super_admins on users (id) where deleted_at is null and is_super_admin;
create index users_deleted on users (deleted_at) where deleted_at is not null;
create index users_search on users using gin (search_text gin_trgm_ops);

create table powerbi_dashboards (
  id integer primary key generated always as identity,
  name text not null,
  description text,
  embed_link text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by integer,
  deleted_at timestamptz
);

-- Outlives a soft delete of the dashboard, so that a restore finds its places again.
create table workspace_dashboards (
  workspace_id integer not null references workspaces on delete cascade,
  dashboard_id integer not null references powerbi_dashboards on delete cascade,
  position integer not null,
  primary key (workspace_id, dashboard_id)
);
create index workspace_dashboards_by_dashboard on workspace_dashboards (dashboard_id);

create table website_config (
  only_row boolean primary key default true check (only_row),
  values jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by integer
);

create table sessions (
  token_hash bytea primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ip text,
  user_agent text
);
create index sessions_of_user on sessions (user_id);

-- Pending attempts are those whose password is being checked right now.
create table login_failures (
  email text primary key,
  failures integer not null,
  pending integer not null,
  changed_at timestamptz not null
);

create table audit_events (
  id bigint primary key generated always as identity,
  at timestamptz not null default now(),
  actor_id integer,
  actor_name text,
  action text not null,
  entity text not null,
  entity_id integer,
  changes jsonb not null,
  ip text
);
create index audit_events_of_entity on audit_events (entity, entity_id, id);
create index audit_events_of_actor on audit_events (actor_id, id);
create index audit_events_by_time on audit_events (at, id);

do $$
declare counted text;
begin
  foreach counted in array array['workspaces', 'users', 'powerbi_dashboards'] loop
    execute format('create trigger count_inserted after insert on %I referencing new table as new_rows
      for each statement execute function count_inserted()', counted);
    execute format('create trigger count_updated after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function count_updated()', counted);
    execute format('create trigger count_deleted after delete on %I referencing old table as old_rows
      for each statement execute function count_deleted()', counted);
  end loop;
end $$;

create trigger count_appended after insert on audit_events referencing new table as new_rows
  for each statement execute function count_appended();
