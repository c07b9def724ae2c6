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
