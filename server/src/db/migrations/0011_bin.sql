-- The deleted users, the last deleted first. Those that were deleted with a workspace are listed as a part of it.
create index users_in_bin on users (deleted_at, id) where deleted_at is not null and not deleted_with_workspace;
create index users_in_bin_of_workspace on users (workspace_id, deleted_at, id)
  where deleted_at is not null and not deleted_with_workspace;
create index users_deleted_with_workspace on users (workspace_id) where deleted_with_workspace;
