-- An undo can wait and run in the background. One that failed or was cancelled has undone nothing, so the import can be
-- undone by another one.
drop index imports_of_undone;
create unique index imports_of_undone on imports (undoes_id)
  where undoes_id is not null and state in ('queued', 'running', 'done');
