create table narratives (
  id integer primary key,
  created_at timestamptz not null default now(),
  created_by integer
);

-- The same message and text in the same narrative is one story.
create table stories (
  id bigint primary key generated always as identity,
  narrative_id integer not null references narratives,
  message_composite_id text not null,
  story text not null,
  sentiment_score double precision,
  platform text,
  content_type text,
  digest uuid not null,
  created_at timestamptz not null default now()
);
create unique index stories_by_text on stories (narrative_id, digest);
-- A run walks the stories of its narrative in batches, by id.
create index stories_of_narrative on stories (narrative_id, id);

create table story_vectors (
  story_id bigint not null references stories on delete cascade,
  model text not null,
  vector real[] not null,
  primary key (story_id, model)
);

-- A runner holds a run by a lease that it renews; a lease that ran out may be taken by another.
create table vectorization_runs (
  id integer primary key generated always as identity,
  execution_date timestamptz not null unique,
  narrative_id integer not null references narratives,
  platforms text[] not null,
  content_types text[] not null,
  model text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'success', 'failed')),
  runner text not null check (runner in ('server', 'airflow')),
  dag_run_id text,
  stories_count integer,
  done_count integer not null default 0,
  last_story_id bigint not null default 0,
  attempts integer not null default 0,
  error text,
  leased_by uuid,
  leased_until timestamptz,
  created_by integer,
  created_by_name text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index vectorization_runs_unfinished on vectorization_runs (id) where status in ('queued', 'running');

create trigger count_appended after insert on vectorization_runs referencing new table as new_rows
  for each statement execute function count_appended();
