-- Platforms compare handles without case, so addresses of handles are stored in lower case, as in contract/src/source-row.ts.
-- Of sources that differ only in case, one gets that address and the others stay as they are. It is the one that is not deleted,
-- otherwise the oldest. What imports changed is kept by the ids of sources, so all of it can still be undone.
-- A server of the release before must not add an address meanwhile. Reads go on.
lock table sources in share row exclusive mode;
create temp table handles on commit drop as
  select id, url, lower(url collate "C") as stored, row_number() over (
    partition by platform, lower(url collate "C") order by deleted_at is not null, url <> lower(url collate "C"), id) as place
  from sources where case platform
    when 'TELEGRAM' then url ~* '^https://t\.me/(s/)?@?\w+(/\d+)*$'
    when 'FACEBOOK' then url ~* '^https://facebook\.com/(groups/)?[\w.-]+$'
    when 'TWITTER' then url ~* '^https://twitter\.com/@?\w+(/status/\d+)?$'
    when 'TIKTOK' then url ~* '^https://tiktok\.com/@[\w.-]+(/video/\d+)?$'
    when 'YOUTUBE' then url ~* '^https://youtube\.com/(@|user/|c/)?[\w.-]+$'
    when 'VK' then url ~* '^https://vk\.com/[\w.-]+$'
    else false end;
-- A deleted source may have the address that another one gets. It gets the other's address, which takes two steps.
create temp table swaps on commit drop as
  select deleted.id, chosen.url from handles as chosen
  join handles as deleted on deleted.stored = chosen.stored and deleted.url = deleted.stored
  where chosen.place = 1 and deleted.place > 1;
update sources set url = sources.url || '#' from swaps where swaps.id = sources.id;
update sources set url = stored from handles where handles.id = sources.id and place = 1 and sources.url <> stored;
update sources set url = swaps.url from swaps where swaps.id = sources.id;
