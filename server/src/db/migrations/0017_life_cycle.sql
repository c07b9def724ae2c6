-- The day of the month on which a quota is renewed, where its date does not show it: 31, while the date is 28 February. Null:
-- the day of the date.
alter table workspaces
  add column analytical_renewal_day smallint check (analytical_renewal_day between 1 and 31),
  add column ai_renewal_day smallint check (ai_renewal_day between 1 and 31);

-- Each server looks every minute which quotas are due. The dates are texts with the year first.
create index workspaces_by_renewal on workspaces
  ((least(analytical_quota ->> 'renewal_date', ai_quota ->> 'renewal_date') collate "C"), id) where deleted_at is null;

-- From now on, nobody has access to the console while their workspace is deactivated.
delete from sessions using users, workspaces
  where users.id = sessions.user_id and workspaces.id = users.workspace_id and workspaces.status = 'DEACTIVATED';
