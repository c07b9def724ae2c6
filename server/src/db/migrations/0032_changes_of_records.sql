-- Changes of many users, workspaces and dashboards, and imports of users, were undone by their events. What they replaced is
-- kept in the table of all others. A record that was deleted, restored or added is known by its version.
insert into operation_changes (operation_id, entity, record_id, before, after)
  select operations.id, part.entity || 's', part.entity_id,
    case part.action
      when 'update' then (select coalesce(jsonb_object_agg(key, value -> 'before'), '{}') from jsonb_each(changes))
      when 'create' then null
      else '{}' end,
    case part.action
      when 'update' then (select coalesce(jsonb_object_agg(key, value -> 'after'), '{}') from jsonb_each(changes))
      else jsonb_build_object('version', part.version) end
  from operations join audit_events as part on part.parent_id = (operations.details ->> 'event_id')::bigint
  where operations.kind in ('users_change', 'workspaces_change', 'dashboards_change', 'users_import', 'undo')
    and not operations.is_purged and part.action in ('update', 'delete', 'restore', 'create')
    and part.entity in ('user', 'workspace', 'dashboard')
  on conflict do nothing;
-- Without its events, a change could not be undone. Its rows are kept as long as those of others.
update operations set is_purged = true
  where not exists (select from audit_events where id = (details ->> 'event_id')::bigint)
    and details ->> 'event_id' is not null;
update operations set details = details - 'event_id' where details ? 'event_id' and kind <> 'users_import';
