-- Pages are read in the order of an index again, from the nearer end, so only totals are kept
-- (docs/decisions/0027-list-places.md). The primary key has no deleted_at, so it would lead through the rows themselves.
create index if not exists users_by_id on users (id) where deleted_at is null;
-- New transaction
drop function record_workspaces, record_users, record_sources, record_sheets, record_operations, record_vectorization_runs,
  count_stories cascade;
drop function keep_list;
-- Only servers of earlier releases used it.
drop view row_counts;

do $$
begin
  -- With the rights of the owner, because other roles may only read the totals. They must not be able to put functions or
  -- types of their own before those of PostgreSQL.
  execute format('create function %1$I.count_rows() returns trigger language plpgsql security definer
    set search_path = pg_catalog, pg_temp as $body$
    declare change integer := 0;
    begin
      if tg_op = ''TRUNCATE'' then
        delete from %1$I.list_changes where list = tg_table_name;
        update %1$I.list_totals set live = 0 where list = tg_table_name;
      elsif tg_level = ''ROW'' then
        change := tg_argv[0];
      else
        if tg_op <> ''INSERT'' then select - count(*) into change from old_rows where deleted_at is null; end if;
        if tg_op <> ''DELETE'' then select change + count(*) into change from new_rows where deleted_at is null; end if;
      end if;
      if change <> 0 then insert into %1$I.list_changes (list, live_change) values (tg_table_name, change); end if;
      return null;
    end $body$', current_schema());
end $$;

-- Keeps the total of a table: the number of its rows, without those that are in the bin. A migration calls it once for each
-- listed table: select keep_total('reports'). Where many rows are changed at once, a trigger for each statement is cheaper
-- than one for each row, although it costs a single edit a little; such a table must have deleted_at.
create function keep_total(counted regclass, is_changed_in_bulk boolean default false) returns void language plpgsql as $$
declare
  name text := (select relname from pg_class where oid = counted);
  has_soft_delete boolean := exists (select from pg_attribute where attrelid = counted and attname = 'deleted_at');
  old_live text := case when has_soft_delete then 'old.deleted_at is null' else 'true' end;
  new_live text := case when has_soft_delete then 'new.deleted_at is null' else 'true' end;
begin
  -- Creating a trigger locks out writers until the migration commits, so no row is missed or counted twice.
  execute format('create trigger count_truncated after truncate on %s execute function count_rows()', counted);
  if is_changed_in_bulk then
    execute format('create trigger count_inserted after insert on %1$s referencing new table as new_rows
        for each statement execute function count_rows();
      create trigger count_updated after update on %1$s referencing old table as old_rows new table as new_rows
        for each statement execute function count_rows();
      create trigger count_deleted after delete on %1$s referencing old table as old_rows
        for each statement execute function count_rows()', counted);
  else
    execute format('create trigger count_inserted after insert on %1$s for each row when (%3$s) execute function count_rows(''1'');
      create trigger count_deleted after delete on %1$s for each row when (%2$s) execute function count_rows(''-1'')',
      counted, old_live, new_live);
    if has_soft_delete then
      execute format('create trigger count_binned after update of deleted_at on %1$s for each row
          when (%2$s and not %3$s) execute function count_rows(''-1'');
        create trigger count_restored after update of deleted_at on %1$s for each row
          when (%3$s and not %2$s) execute function count_rows(''1'')', counted, old_live, new_live);
    end if;
  end if;
  if not exists (select from list_totals where list = name) then
    execute format('insert into list_totals select %L, count(*) from %s where %s', name, counted,
      case when has_soft_delete then 'deleted_at is null' else 'true' end);
  end if;
end $$;

alter table list_changes alter id set default 0;
select keep_total(listed::regclass)
  from unnest(array['workspaces', 'users', 'sheets', 'operations', 'vectorization_runs']) as listed;
select keep_total('sources', is_changed_in_bulk => true), keep_total('stories', is_changed_in_bulk => true);
delete from list_changes where live_change is null and (before is null) = (after is null);
update list_changes set live_change = case when before is null then 1 else -1 end, before = null, after = null
  where live_change is null;

-- For servers of the previous release that may still run. Without places, they skip all rows before a page, which is exact but
-- takes longer the farther the page is from the first, and what they save is ignored. They read `id`, `before` and `after` of
-- the changes as well.
drop table list_places;
create view list_places as
  select ''::text as list, ''::text as sort, 0::bigint as rank, ''::text as key, 0::bigint as id where false;
create rule ignore_insert as on insert to list_places do instead nothing;
create rule ignore_update as on update to list_places do instead nothing;
create rule ignore_delete as on delete to list_places do instead nothing;
do $$
declare reader text;
begin
  for reader in select grantee from information_schema.role_table_grants where table_schema = current_schema()
    and table_name = 'list_totals' and privilege_type = 'SELECT' and grantee <> 'PUBLIC' loop
    execute format('grant select, insert, update, delete on list_places to %I', reader);
  end loop;
end $$;

-- Soon after many edits, so that the index alone says which rows there are.
alter table users set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
