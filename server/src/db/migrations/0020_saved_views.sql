-- What a person keeps about the lists: filters, order and columns under a name, and the columns that they always see.
create table saved_views (
  id integer primary key generated always as identity,
  user_id integer not null references users on delete cascade,
  list text not null,
  name text not null,
  -- The query of the address of the list.
  query text not null,
  created_at timestamptz not null default now()
);
create unique index saved_views_by_name on saved_views (user_id, list, lower(name));

create table list_columns (
  user_id integer not null references users on delete cascade,
  list text not null,
  columns text[] not null,
  primary key (user_id, list)
);
