-- Until when those who get or send mails have used up their share, see db/mail-limits.ts. The key is a hash.
create table mail_limits (
  key bytea primary key,
  used_until timestamptz not null
);
