import { Button, FileButton, Group, Avatar } from '@mantine/core';
import type { UpdateOrganizationFields } from '@platform/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf, ifStill, platform, readRevised } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useActing } from '../api/acting.ts';
import { Confirm, done, useChange } from '../ui/act.tsx';
import { Facts } from '../ui/facts.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Read } from '../ui/read.tsx';
import { visibilities } from './new-organization.tsx';

/** The properties of an organization, with the actions to change it, leave it or delete it. */
export function Overview() {
  const { org, may } = useActing();
  const navigate = useNavigate();
  const me = useSession().data?.user;
  const [asked, ask] = useState<'edit' | 'delete' | 'leave'>();
  const parameters = { orgname: org };
  const close = () => ask(undefined);
  const picture = useChange(
    (file: File | null) => {
      if (file === null) return platform.call('deleteAvatar', { parameters });
      const body = new FormData();
      body.append('avatar', file);
      return platform.call('updateAvatar', { parameters, body }).then(() => undefined);
    },
    () => done('The picture is changed'),
  );
  return (
    <Read
      what="The organization"
      queryKey={['organization', org]}
      load={() => readRevised('getOrganization', { parameters })}
    >
      {(one) => (
        <Page
          title={one.full_name || one.username}
          about={one.description}
          actions={
            <>
              {may('can_edit') && <Button variant="default" onClick={() => ask('edit')}>Edit</Button>}
              {may('member') || may('can_view') ? (
                <Button variant="default" onClick={() => ask('leave')}>Leave</Button>
              ) : null}
              {may('can_delete') && <Button variant="light" color="red" onClick={() => ask('delete')}>Delete</Button>}
            </>
          }
        >
          <Group>
            <Avatar
              src={safePicture(one.avatar_url)}
              name={one.full_name || one.username}
              color="initials"
              size={72}
              radius="md"
              alt={`Picture of ${one.username}`}
            />
            {may('can_update_avatar') && (
              <FileButton
                accept="image/png,image/jpeg,image/gif,image/webp"
                onChange={(file) => file && picture.mutate(file)}
              >
                {(props) => (
                  <Button {...props} variant="default" size="xs" loading={picture.isPending}>Change the picture</Button>
                )}
              </FileButton>
            )}
            {may('can_delete_avatar') && (
              <Button variant="subtle" size="xs" onClick={() => picture.mutate(null)}>Remove it</Button>
            )}
          </Group>
          {picture.error && <Failure error={picture.error} />}
          <Facts
            of={[
              ['Name', one.username],
              ['Visible to', visibilities.find(({ value }) => value === one.visibility)?.label ?? one.visibility],
              ['Website', one.website],
              ['Location', one.location],
              ['Id', String(one.id)],
            ]}
          />
          {asked === 'edit' && (
            <FormDialog
              title="Edit the organization"
              verb="Save"
              onClose={close}
              said="The organization is changed"
              of={one.id}
              initial={{ ...one }}
              revision={one.revision}
              fields={[
                { name: 'full_name', label: 'Full name' },
                { name: 'description', label: 'Description', kind: 'long' },
                { name: 'website', label: 'Website', placeholder: 'https://' },
                { name: 'location', label: 'Location' },
                { name: 'visibility', label: 'Visible to', kind: 'select', options: visibilities, required: true },
              ]}
              act={({ full_name, description, website, location, visibility }, revision) =>
                platform.call('updateOrganization', {
                  parameters: { ...parameters, ...ifStill(revision) },
                  body: { full_name, description, website, location, visibility } as UpdateOrganizationFields,
                })
              }
            />
          )}
          {asked === 'leave' && (
            <Confirm
              title="Leave the organization"
              verb="Leave"
              onClose={close}
              act={async () => {
                await platform.call('changeMember', { parameters: { orgname: org, action: 'leave', uid: me!.id } });
                await navigate({ to: '/' });
              }}
            >
              You leave all its teams. Only somebody who manages its teams can bring you back.
            </Confirm>
          )}
          {asked === 'delete' && (
            <Confirm
              title="Delete the organization"
              verb="Delete for ever"
              typed={org}
              onClose={close}
              act={async () => {
                await platform.call('deleteOrganization', { parameters });
                await navigate({ to: '/' });
              }}
            >
              Its teams, roles and tokens are deleted, too. If contracts or clusters prevent this, the reason is shown
              here.
            </Confirm>
          )}
        </Page>
      )}
    </Read>
  );
}

/**
 * Returns the path of an avatar on this host, because the content policy blocks pictures of other hosts. Undefined if
 * the address is not that of an avatar.
 */
function safePicture(address: string): string | undefined {
  try {
    const { pathname } = new URL(address, location.href);
    const at = pathname.indexOf('/avatars/');
    return at === -1 ? undefined : addressOf(pathname.slice(at));
  } catch {
    return undefined;
  }
}
