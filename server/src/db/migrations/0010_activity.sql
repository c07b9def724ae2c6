-- Events are listed by time, with the name that the record had, the workspace that it belonged to, and its new version.
-- An event that is a part of another one, such as a user deleted with a workspace, has the id of that one.
alter table audit_events
  add column if not exists record_name text,
  add column if not exists record_detail text,
  add column if not exists workspace_id integer,
  add column if not exists version integer,
  add column if not exists parent_id bigint,
  add column if not exists is_nested boolean not null default false;
comment on column audit_events.is_nested is 'Whether it is a part of an event of the same workspace';
-- The time of the change instead of the start of its transaction, which may be minutes earlier.
alter table audit_events alter column at set default clock_timestamp();

-- New transaction per 10000 rows of audit_events
alter table audit_events disable trigger append_only;
update audit_events set
  record_name = users.full_name, record_detail = users.email, workspace_id = users.workspace_id
  from users where entity in ('user', 'session') and users.id = entity_id and audit_events.id between :from and :to;
update audit_events set record_name = workspaces.name, workspace_id = workspaces.id
  from workspaces where entity = 'workspace' and workspaces.id = entity_id and audit_events.id between :from and :to;
update audit_events set record_name = powerbi_dashboards.name from powerbi_dashboards
  where entity = 'dashboard' and powerbi_dashboards.id = entity_id and audit_events.id between :from and :to;
update audit_events set record_name = sheets.title
  from sheets where entity = 'sheet' and sheets.id = entity_id and audit_events.id between :from and :to;
update audit_events set record_name = 'Website config'
  where entity = 'website_config' and audit_events.id between :from and :to;
update audit_events set workspace_id = users.workspace_id
  from users where entity = 'call' and users.id = actor_id and audit_events.id between :from and :to;
alter table audit_events enable always trigger append_only;

-- New transaction
-- What a user did before they were moved belongs to another workspace, and has the name and email of today: only super
-- admins see it.
alter table audit_events disable trigger append_only;
update audit_events set workspace_id = null from (
    select entity_id as user_id, max(id) as moved from audit_events
    where entity = 'user' and action = 'update' and changes ? 'workspace_id' group by entity_id
  ) as moves
  where user_id = case when entity = 'call' then actor_id when entity in ('user', 'session') then entity_id end
    and audit_events.id < moved;
alter table audit_events enable always trigger append_only;

-- Reads go on while an index is built; writes wait for one index at a time.
-- New transaction
create index if not exists new_audit_events_by_time on audit_events (at, id) where parent_id is null;
-- New transaction
create index if not exists new_audit_events_of_entity on audit_events (entity, at, id) where not is_nested;
-- New transaction
create index if not exists audit_events_of_action on audit_events (action, at, id) where not is_nested;
-- New transaction
create index if not exists new_audit_events_of_actor on audit_events (actor_id, at, id) where not is_nested;
-- New transaction
create index if not exists audit_events_of_workspace on audit_events (workspace_id, at, id) where not is_nested;
-- New transaction
create index if not exists audit_events_of_record on audit_events (entity, entity_id, at, id);
-- New transaction
create index if not exists audit_events_of_parent on audit_events (parent_id, at, id) where parent_id is not null;
-- New transaction
create index if not exists audit_events_search on audit_events using gin
  (lower(coalesce(actor_name, '') || E'\n' || coalesce(record_name, '') || E'\n' || coalesce(record_detail, '')) gin_trgm_ops);

-- New transaction
-- Events are paged by cursor, so their places are no longer kept.
delete from list_changes where list = 'audit_events';
delete from list_places where list = 'audit_events';
delete from list_totals where list = 'audit_events';
drop trigger record_insert on audit_events;
drop trigger record_delete on audit_events;
drop trigger record_truncate on audit_events;
drop function record_audit_events();
-- Of changes in the meantime.
delete from list_changes where list = 'audit_events';
drop index audit_events_of_entity, audit_events_of_actor, audit_events_by_time;
alter index new_audit_events_by_time rename to audit_events_by_time;
alter index new_audit_events_of_entity rename to audit_events_of_entity;
alter index new_audit_events_of_actor rename to audit_events_of_actor;

-- The only exception: events older than the time that the operator keeps them.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('watchdesk.is_purging', true) = 'true' then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Days are whole days in UTC, so that events are removed at most once a day. With the rights of the owner: no other role
-- may delete events.
create function purge_audit_events(days integer) returns bigint language plpgsql security definer as $$
declare
  kept_from timestamptz := (date_trunc('day', now() at time zone 'UTC') - make_interval(days => days)) at time zone 'UTC';
  purged bigint;
begin
  if days is null or days < 30 then raise exception 'Events are kept for at least 30 days'; end if;
  perform set_config('watchdesk.is_purging', 'true', true);
  with parents as (
    delete from audit_events where parent_id is null and at < kept_from returning id
  ), parts as (
    delete from audit_events where parent_id in (select id from parents) returning id
  ), nested as (
    -- A workspace restored with others is a part, and its users are parts of it.
    delete from audit_events where parent_id in (select id from parts) returning 1
  )
  select (select count(*) from parents) + (select count(*) from parts) + (select count(*) from nested) into purged;
  perform set_config('watchdesk.is_purging', 'false', true);
  return purged;
end $$;
do $$
begin
  execute format('alter function purge_audit_events set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
revoke execute on function purge_audit_events from public;
