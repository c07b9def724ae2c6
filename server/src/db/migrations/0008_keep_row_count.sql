create function count_removed() returns trigger language plpgsql as $$
begin
  insert into row_counts as counts (table_name, id_range, shard, live)
  select tg_table_name, id >> 16, pg_backend_pid() % 16, - count(*) from old_rows group by 2 order by 2
  on conflict (table_name, id_range, shard) do update set live = counts.live + excluded.live;
  return null;
end $$;

-- Keeps the number of a table's rows in row_counts, those that are not deleted softly where the table has deleted_at. A
-- migration calls it once for each table that the server lists: select keep_row_count('sources')
create function keep_row_count(counted regclass) returns void language plpgsql as $$
declare
  has_soft_delete boolean := exists (select from pg_attribute where attrelid = counted and attname = 'deleted_at');
begin
  -- Creating a trigger locks out writers until the migration commits, so no row is missed or counted twice.
  execute format('create trigger count_inserted after insert on %s referencing new table as new_rows
    for each statement execute function %I()', counted,
    case when has_soft_delete then 'count_inserted' else 'count_appended' end);
  execute format('create trigger count_deleted after delete on %s referencing old table as old_rows
    for each statement execute function %I()', counted,
    case when has_soft_delete then 'count_deleted' else 'count_removed' end);
  if has_soft_delete then
    execute format('create trigger count_updated after update on %s referencing old table as old_rows new table as new_rows
      for each statement execute function count_updated()', counted);
  end if;
  execute format('insert into row_counts (table_name, id_range, shard, live)
    select %L, id >> 16, 0, count(*) from %s where %s group by 2',
    (select relname from pg_class where oid = counted), counted,
    case when has_soft_delete then 'deleted_at is null' else 'true' end);
end $$;
