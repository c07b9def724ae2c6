-- Changes of many users, workspaces and dashboards are imports too. What they changed is in the events of the records.
alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check check (kind in ('source_import', 'platform_import', 'export',
  'stories_import', 'sheet_replacement', 'sources_change', 'users_change', 'workspaces_change', 'dashboards_change',
  'users_import', 'undo'));
