-- The last sign-in of each user. Not a column of users: a sign-in would write all indexes of the user, and would wait for a
-- change of very many users.
create table sign_ins (
  user_id integer primary key references users on delete cascade,
  at timestamptz not null default now()
);
insert into sign_ins (user_id, at)
  select users.id, max(at) from audit_events join users on users.id = audit_events.entity_id
  where audit_events.entity = 'session' and audit_events.action = 'login' group by users.id;
create index sign_ins_by_time on sign_ins (at, user_id);

-- Whose account the email was at the time, so that locked users are found without hashing every email.
alter table failed_sign_ins add column user_id integer;
create index failed_sign_ins_of_users on failed_sign_ins (user_id) where user_id is not null;

-- For the filter by role, and for workspaces without an admin. Types and languages have no index: it would make every edit of
-- them slower.
create index users_admins on users (workspace_id, id) where deleted_at is null and (is_admin or is_super_admin);

-- A search finds the status too: 'trial' finds trials.
drop index workspaces_search;
alter table workspaces drop column search_text;
alter table workspaces add column search_text text not null generated always as
  (lower(name || E'\n' || description || E'\n' || coalesce(status || ' ' || replace(status, '_', ' '), ''))) stored;
create index workspaces_search on workspaces using gin (search_text gin_trgm_ops);
