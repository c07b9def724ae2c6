-- What has happened is never told otherwise, by nobody: not even by the server's own role.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_change();
alter table audit_events enable always trigger append_only;

-- What has been told in a minute: events that somebody could cause without end are told once.
create table audit_once (
  actor_id integer not null,
  what text not null,
  minute timestamptz not null,
  primary key (actor_id, what, minute)
);
create index audit_once_by_time on audit_once (minute);

-- Of whom nobody knows who deleted them, a super admin decides.
alter table users add column deleted_by_super_admin boolean not null default true;
