-- Invitations into teams by mail (open-points 18.1).
create table team_invitation (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  organization_id bigint not null,
  team_id bigint not null,
  -- By whose rights it is accepted; without the account it is none.
  inviter_id bigint not null references account (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  -- When mails went out within the last hour: an address gets few of them.
  mailed_at timestamptz[] not null default '{}',

  constraint team_invitation_team foreign key (team_id, organization_id)
    references team (id, organization_id) on delete cascade,
  constraint team_invitation_email check (length(email) between 3 and 254)
);
create unique index team_invitation_address on team_invitation (team_id, lower(email collate "C"));
create index team_invitation_of_organization on team_invitation (organization_id, id);
create index team_invitation_of_inviter on team_invitation (inviter_id);
create index team_invitation_to on team_invitation (lower(email collate "C"));
create index team_invitation_end on team_invitation (expires_at);

alter table sign_in_code
  -- Of the link of an invitation.
  add column invitation_id bigint references team_invitation (id) on delete cascade,
  drop constraint sign_in_code_kind,
  add constraint sign_in_code_kind check (
    case kind
      when 'link' then account_id is not null and request_id is null and invitation_id is null
      when 'mail' then account_id is not null and request_id is not null and invitation_id is null
      when 'sign-up' then account_id is null and request_id is not null and invitation_id is null
      when 'invitation' then account_id is null and request_id is null and invitation_id is not null
      else false
    end
  );
create index sign_in_code_of_invitation on sign_in_code (invitation_id) where invitation_id is not null;
