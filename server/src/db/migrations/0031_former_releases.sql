-- Only servers of earlier releases used these.
drop table login_failures;
drop view sheet_rows;
-- The sheets that they created get a set like all others, and so do rows whose sheet is gone, so that these are removed.
insert into row_sets (id, header, row_count, outcomes, created_at)
  select id, header, row_count, outcomes, created_at from sheets where rows_id is null on conflict do nothing;
with recursive stored (id) as (
  (select set_id from set_rows order by set_id limit 1)
  union all
  select (select set_id from set_rows where set_id > stored.id order by set_id limit 1) from stored
  where stored.id is not null
)
insert into row_sets (id, header, row_count) select id, '{}', 0 from stored where id is not null on conflict do nothing;
update sheets set rows_id = id where rows_id is null;
alter table sheets alter column rows_id set not null;
-- Deactivating a workspace ends its sessions since.
delete from sessions using users, workspaces
  where users.id = sessions.user_id and workspaces.id = users.workspace_id and workspaces.status = 'DEACTIVATED';
