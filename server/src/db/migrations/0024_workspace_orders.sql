-- Workspaces are listed by the end of their trial and by what is left of their quotas, as texts in this order. What has no trial
-- or no quota comes last.
alter table workspaces
  add column trial_order text not null generated always as (
    coalesce(case when status = 'TRIAL' then lpad((trial_end_date - date '0001-01-01')::text, 8, '0') end, 'x')) stored,
  add column analytical_order text not null generated always as (case
    when (analytical_quota ->> 'limit')::numeric > 0 then lpad(least(greatest(
      trunc((analytical_quota ->> 'balance')::numeric * 1000000 / (analytical_quota ->> 'limit')::numeric), 0), 9999999999)::text, 10, '0')
    when (analytical_quota ->> 'balance')::numeric > 0 then '0001000000' else 'x' end) stored,
  add column ai_order text not null generated always as (case
    when (ai_quota ->> 'limit')::numeric > 0 then lpad(least(greatest(
      trunc((ai_quota ->> 'balance')::numeric * 1000000 / (ai_quota ->> 'limit')::numeric), 0), 9999999999)::text, 10, '0')
    when (ai_quota ->> 'balance')::numeric > 0 then '0001000000' else 'x' end) stored;
create index workspaces_sorted_by_trial on workspaces (trial_order, id) where deleted_at is null;
create index workspaces_sorted_by_analytical_quota on workspaces (analytical_order, id) where deleted_at is null;
create index workspaces_sorted_by_ai_quota on workspaces (ai_order, id) where deleted_at is null;

-- What was recorded so far lacks the new keys. New places are saved soon after the start.
drop function record_workspaces cascade;
delete from list_changes where list = 'workspaces';
delete from list_places where list = 'workspaces';
delete from list_totals where list = 'workspaces';
select keep_list('workspaces', '{name,status,trial_end_date,analytical_quota,ai_quota}', 'lower(%1$s.name)',
  'coalesce(''0'' || %1$s.status, ''1'')', '%1$s.trial_order', '%1$s.analytical_order', '%1$s.ai_order');
