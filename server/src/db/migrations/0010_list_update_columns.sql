-- An edit that sets none of these columns does not even evaluate a condition, which has to be parsed for each statement.
drop trigger record_update on users;
create trigger record_update after update of deleted_at, email, first_name, last_name on users for each row
  when (old.deleted_at is distinct from new.deleted_at or old.email <> new.email or old.full_name <> new.full_name)
  execute function record_users();
drop trigger record_update on workspaces;
create trigger record_update after update of deleted_at, name, status on workspaces for each row
  when (old.deleted_at is distinct from new.deleted_at or old.name <> new.name or old.status is distinct from new.status)
  execute function record_workspaces();
