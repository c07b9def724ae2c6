-- A statement that changes very many sources is one entry of the log instead of one per row. It has no keys, so as long as
-- it is there, the saved places of the list say nothing (docs/decisions/0027-list-places.md).
alter table list_changes add column live_change integer;
comment on column list_changes.live_change is
  'For very many rows at once: the number of live rows that were added, less those that were removed';

-- Transition tables cost a single edit a little and save most of what a trigger per row costs in bulk: sources, other than
-- users and workspaces, are changed in bulk. The argument of the triggers is the number of rows that are logged one by one.
drop trigger record_insert on sources;
drop trigger record_update on sources;
drop trigger record_delete on sources;
do $$
declare
  home text := current_schema();
  keys text := 'array[url, platform, coalesce(country::text, ''ZZ'')]';
begin
  -- With the rights of the owner, as in keep_list.
  execute format('create or replace function %1$I.record_sources() returns trigger language plpgsql security definer
    set search_path = pg_catalog, pg_temp as $body$
    declare
      live_before integer := 0;
      live_after integer := 0;
    begin
      if tg_op = ''TRUNCATE'' then
        delete from %1$I.list_changes where list = ''sources'';
        delete from %1$I.list_places where list = ''sources'';
        update %1$I.list_totals set live = 0 where list = ''sources'';
        return null;
      end if;
      if tg_op <> ''INSERT'' then select count(*) into live_before from old_rows where deleted_at is null; end if;
      if tg_op <> ''DELETE'' then select count(*) into live_after from new_rows where deleted_at is null; end if;
      if greatest(live_before, live_after) > tg_argv[0]::integer then
        insert into %1$I.list_changes (list, id, live_change) values (''sources'', 0, live_after - live_before);
      elsif tg_op = ''INSERT'' then
        insert into %1$I.list_changes (list, id, after)
        select ''sources'', id, %2$s from new_rows where deleted_at is null;
      elsif tg_op = ''DELETE'' then
        insert into %1$I.list_changes (list, id, before)
        select ''sources'', id, %2$s from old_rows where deleted_at is null;
      else
        -- Grouped and not joined: the plan is kept for later calls, and a join might be planned for a single row.
        insert into %1$I.list_changes (list, id, before, after)
        select ''sources'', id, max(before), max(after) from (
          select id, %2$s as before, null::text[] as after from old_rows where deleted_at is null
          union all select id, null, %2$s from new_rows where deleted_at is null
        ) as changes group by id having max(before) is distinct from max(after);
      end if;
      return null;
    end $body$', home, keys);
end $$;
create trigger record_insert after insert on sources referencing new table as new_rows
  for each statement execute function record_sources(10000);
create trigger record_update after update on sources referencing old table as old_rows new table as new_rows
  for each statement execute function record_sources(10000);
create trigger record_delete after delete on sources referencing old table as old_rows
  for each statement execute function record_sources(10000);

-- Without places, the primary key would lead through all removed sources.
create index sources_live on sources (id) where deleted_at is null;

-- The row of the import is written in the same transaction and never deleted, so checking it for each of a million rows
-- proves nothing.
alter table source_changes drop constraint source_changes_import_id_fkey;
alter table story_changes drop constraint story_changes_import_id_fkey;

-- Soon after a change of many sources, so that counts need only read an index.
alter table sources set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);
