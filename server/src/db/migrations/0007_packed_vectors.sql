-- The values of a vector as little-endian float4, for reading: PostgreSQL sends a real[] value by value, which takes several
-- times as long. Null where pgvector compares, and for vectors that an earlier release has written.
alter table story_vectors add packed bytea;

-- An earlier release that still runs, or runs again, updates the vector alone.
create function forget_packed() returns trigger language plpgsql as $$
begin
  new.packed := null;
  return new;
end $$;

create trigger forget_packed before update on story_vectors for each row
  when (old.packed is not null and new.packed = old.packed and new.vector is distinct from old.vector)
  execute function forget_packed();
