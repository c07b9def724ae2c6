-- An import is undone once, and redone once. Until now, a redo could be undone again, and so on: such an undo now belongs to
-- the import itself, and of what undid each other before, the undo counts as undone.
drop index imports_of_undone;
with recursive chain as (
  select id, id as first, 0 as place from imports where undoes_id is null
  union all
  select imports.id, chain.first, place + 1 from imports join chain on imports.undoes_id = chain.id
)
update imports set undoes_id = case when place % 2 = 1 then chain.first else imports.undoes_id end,
  is_undone = place % 2 = 1 and exists (select from imports as later
    where later.undoes_id = imports.id and later.state = 'done')
from chain where chain.id = imports.id and place > 0 and chain.first in (select first from chain where place > 2);
create index imports_of_undone on imports (undoes_id, id) where undoes_id is not null;

-- What an import, or an undo, replaced, of all kinds of records. What it added follows from the records, if these have its
-- id. `before` is null if it added the record and another import revived it later.
create table operation_changes (
  operation_id integer not null,
  entity text not null,
  record_id bigint not null,
  before jsonb,
  after jsonb not null,
  primary key (operation_id, record_id)
);
comment on column operation_changes.before is 'The content that an undo puts back';
comment on column operation_changes.after is
  'What identifies the content after the change. If the record has another one, it changed since';
insert into operation_changes (operation_id, entity, record_id, before, after)
  select import_id, 'sources', source_id, before, jsonb_build_object('content_version', content_version) from source_changes;
-- The stories that an undo deleted name it.
insert into operation_changes (operation_id, entity, record_id, before, after)
  select import_id, 'stories', story_id, '{"is_live": false}', '{"is_live": true}' from story_changes where not was_live;
-- The details stay: by them, servers of the previous release that may still run know which rows to keep.
insert into operation_changes (operation_id, entity, record_id, before, after)
  select id, 'sheet', (details ->> 'sheet_id')::bigint, details -> 'before', jsonb_build_object('rows_id', rows_id)
  from imports where details ? 'before';
create index operation_changes_of_record on operation_changes (record_id, operation_id);
create index operation_changes_of_rows on operation_changes (((before ->> 'rows_id')::integer)) where entity = 'sheet';
drop table source_changes, story_changes;
