-- Imports, exports, changes and undos have one name: operations. Their kinds are those of the server, so that a new kind needs
-- no migration.
alter table imports rename to operations;
alter sequence imports_id_seq rename to operations_id_seq;
alter table operations drop constraint imports_kind_check;
alter table operations rename constraint imports_pkey to operations_pkey;
alter table operations rename constraint imports_state_check to operations_state_check;
alter table operations rename constraint imports_rows_id_fkey to operations_rows_id_fkey;
alter table operations rename constraint imports_undoes_id_fkey to operations_undoes_id_fkey;
alter index imports_of_undone rename to operations_of_undone;
alter index imports_of_rows rename to operations_of_rows;
alter index imports_of_job rename to operations_of_job;
alter index imports_of_created_sheet rename to operations_of_created_sheet;
alter index imports_by_time rename to operations_by_time;
alter index imports_failed rename to operations_failed;

drop trigger record_insert on operations;
drop trigger record_delete on operations;
drop trigger record_truncate on operations;
drop function record_imports;
update list_changes set list = 'operations' where list = 'imports';
update list_places set list = 'operations' where list = 'imports';
update list_totals set list = 'operations' where list = 'imports';
select keep_list('operations');

-- For servers of the previous release that may still run.
create view imports as select * from operations;
do $$
declare granted record;
begin
  for granted in select grantee, privilege_type from information_schema.role_table_grants
    where table_schema = current_schema() and table_name = 'operations' and grantee <> 'PUBLIC'
      and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') loop
    execute format('grant %s on imports to %I', granted.privilege_type, granted.grantee);
  end loop;
end $$;
