-- The totals of each day in UTC, as last counted on that day, for the charts of the overview.
create table daily_totals (
  day date primary key,
  users bigint not null,
  sources bigint not null,
  stories bigint not null,
  analytical_used bigint,
  analytical_limit bigint,
  ai_used bigint,
  ai_limit bigint,
  counted_at timestamptz
);
comment on column daily_totals.counted_at is
  'When it was counted. Null for a day without a count: its totals were computed later, from the records that still exist';
comment on column daily_totals.analytical_used is
  'What the workspaces in use have used of their limits. Null if that was not counted on the day';

-- The number of stories is kept like the total of a list. They are added and removed in bulk, so each statement is one
-- entry of the log.
do $$
declare home text := current_schema();
begin
  -- With the rights of the owner, as in keep_list.
  execute format('create function %1$I.count_stories() returns trigger language plpgsql security definer
    set search_path = pg_catalog, pg_temp as $body$
    declare change integer := 0;
    begin
      if tg_op = ''TRUNCATE'' then
        delete from %1$I.list_changes where list = ''stories'';
        update %1$I.list_totals set live = 0 where list = ''stories'';
        return null;
      end if;
      if tg_op <> ''INSERT'' then select - count(*) into change from old_rows where deleted_at is null; end if;
      if tg_op <> ''DELETE'' then
        select change + count(*) into change from new_rows where deleted_at is null;
      end if;
      if change <> 0 then
        insert into %1$I.list_changes (list, id, live_change) values (''stories'', 0, change);
      end if;
      return null;
    end $body$', home);
end $$;
-- Creating a trigger locks out writers until the migration commits, so no story is missed or counted twice.
create trigger count_inserted after insert on stories referencing new table as new_rows
  for each statement execute function count_stories();
create trigger count_updated after update on stories referencing old table as old_rows new table as new_rows
  for each statement execute function count_stories();
create trigger count_deleted after delete on stories referencing old table as old_rows
  for each statement execute function count_stories();
create trigger count_truncated after truncate on stories execute function count_stories();
insert into list_totals select 'stories', count(*) from stories where deleted_at is null;

create index imports_by_time on imports (created_at);
create index imports_failed on imports (created_at) where state = 'failed';
create index vectorization_runs_failed on vectorization_runs (created_at) where status = 'failed';
