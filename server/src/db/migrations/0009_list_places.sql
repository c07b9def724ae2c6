-- The position of a row in each order of a list, without counting the rows before it (docs/decisions/0027-list-places.md).
-- The number of live rows of each listed table, and the rank of every few thousandth row in each order, when the list
-- was last compacted.
create table list_totals (
  list text primary key,
  live bigint not null
);
create table list_places (
  list text not null,
  sort text not null,
  rank bigint not null,
  key text not null,
  id bigint not null
);
create index list_places_by_rank on list_places (list, sort, rank, id);

-- Rows that were added, changed and removed since, with their sort keys before and after: null for a row that is not
-- live. Only ever appended to, so that writers never wait for each other, and without an index, so that they are quick.
create table list_changes (
  list text not null,
  id bigint not null,
  before text[],
  after text[]
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0, autovacuum_analyze_threshold = 1000000);

-- Adds the triggers that record the changes of a listed table. A migration calls it once for each, with the columns that
-- the sort keys depend on, and the keys in the order of LISTS in db/lists.ts:
-- select keep_list('reports', '{title}', 'lower(%1$s.title)')
create function keep_list(listed regclass, columns text[] default '{}', variadic keys text[] default '{}')
returns void language plpgsql as $$
declare
  table_name text := (select relname from pg_class where oid = listed);
  home text := (select nspname from pg_namespace where oid = (select relnamespace from pg_class where oid = listed));
  recorder text := format('record_%s', table_name);
  has_soft_delete boolean := exists (select from pg_attribute where attrelid = listed and attname = 'deleted_at');
  pattern text := 'array[' || array_to_string(keys, ', ') || ']::text[]';
  old_keys text := format(pattern, 'old');
  new_keys text := format(pattern, 'new');
  old_live text := case when has_soft_delete then 'old.deleted_at is null' else 'true' end;
  new_live text := case when has_soft_delete then 'new.deleted_at is null' else 'true' end;
begin
  -- With the rights of the owner, because other roles may only read the tables of the lists. They must not be able to
  -- put functions or types of their own before those of PostgreSQL.
  execute format('create function %1$I.%2$I() returns trigger language plpgsql security definer
    set search_path = pg_catalog, pg_temp as $body$
    begin
      if tg_op = ''INSERT'' then
        insert into %1$I.list_changes (list, id, after) values (%3$L, new.id, %5$s);
      elsif tg_op = ''DELETE'' then
        insert into %1$I.list_changes (list, id, before) values (%3$L, old.id, %4$s);
      elsif tg_op = ''TRUNCATE'' then
        delete from %1$I.list_changes where list = %3$L;
        delete from %1$I.list_places where list = %3$L;
        update %1$I.list_totals set live = 0 where list = %3$L;
      else
        insert into %1$I.list_changes (list, id, before, after)
        values (%3$L, new.id, case when %6$s then %4$s end, case when %7$s then %5$s end);
      end if;
      return null;
    end $body$', home, recorder, table_name, old_keys, new_keys, old_live, new_live);
  -- Creating a trigger locks out writers until the migration commits, so no row is missed or counted twice.
  execute format('create trigger record_insert after insert on %s for each row when (%s) execute function %I.%I()',
    listed, new_live, home, recorder);
  execute format('create trigger record_delete after delete on %s for each row when (%s) execute function %I.%I()',
    listed, old_live, home, recorder);
  execute format('create trigger record_truncate after truncate on %s execute function %I.%I()', listed, home, recorder);
  if has_soft_delete then columns := array_prepend('deleted_at', columns); end if;
  if cardinality(columns) > 0 then
    -- An edit of other columns does not even evaluate the condition.
    execute format('create trigger record_update after update of %1$s on %2$s for each row
      when ((%3$s or %4$s) and (%3$s, %5$s) is distinct from (%4$s, %6$s)) execute function %7$I.%8$I()',
      array_to_string(columns, ', '), listed, old_live, new_live, old_keys, new_keys, home, recorder);
  end if;
  if not exists (select from list_totals where list = table_name) then
    execute format('insert into list_totals select %L, count(*) from %s where %s', table_name, listed,
      case when has_soft_delete then 'deleted_at is null' else 'true' end);
  end if;
end $$;

-- The kept counts are replaced. Dashboards are not listed by page.
do $$
declare counted text;
begin
  foreach counted in array array['workspaces', 'users', 'powerbi_dashboards', 'audit_events', 'vectorization_runs'] loop
    execute format('drop trigger if exists count_inserted on %1$I; drop trigger if exists count_updated on %1$I;
      drop trigger if exists count_deleted on %1$I; drop trigger if exists count_appended on %1$I', counted);
  end loop;
end $$;
insert into list_totals
  select list, (select coalesce(sum(live), 0) from row_counts where table_name = list)
  from unnest(array['workspaces', 'users', 'audit_events', 'vectorization_runs']) as list;

-- For servers of the previous release that may still run: one range that all ids are below.
alter table row_counts rename to former_row_counts;
create view row_counts as
  select list as table_name, 32766 as id_range, 0::smallint as shard,
    live + (select count(after) - count(before) from list_changes where list_changes.list = list_totals.list) as live
  from list_totals;
do $$
declare reader text;
begin
  for reader in select grantee from information_schema.role_table_grants
    where table_name = 'former_row_counts' and privilege_type = 'SELECT' and grantee <> 'PUBLIC' loop
    execute format('grant select on row_counts to %I', reader);
  end loop;
end $$;
drop table former_row_counts;
drop function keep_row_count, count_inserted, count_updated, count_deleted, count_appended, count_removed;

select keep_list('workspaces', '{name,status}', 'lower(%1$s.name)', 'coalesce(''0'' || %1$s.status, ''1'')');
select keep_list('users', '{email,first_name,last_name}', 'lower(%1$s.email)', 'lower(%1$s.full_name)');
select keep_list('audit_events');
select keep_list('vectorization_runs');

-- Workspaces without a status come last. No null, which would have no place in the order.
create index workspaces_sorted_by_status on workspaces ((coalesce('0' || status, '1')), id) include (status)
  where deleted_at is null;
drop index workspaces_by_status;

-- The primary keys do as well: a list skips a few thousand rows at most.
drop index users_by_id;
drop index workspaces_by_id;

-- Free space for the new version of a row on its page: an edit that changes no indexed column then leaves all indexes alone.
alter table users set (fillfactor = 90);
alter table workspaces set (fillfactor = 80);
alter table powerbi_dashboards set (fillfactor = 80);
alter table sessions set (fillfactor = 80);
