import { Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../../../client/client.ts';
import { useWrite } from '../../../api.ts';
import { TextField } from '../../../parts/fields.tsx';
import { Form } from '../../../parts/form.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { profile, saveProfile } from '../../../queries/advertiser/account.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';
import { common } from '../../../texts/common.ts';

interface Values {
  contact_name: string;
  company_name: string;
  mobile: string;
}

/**
 * What needs a profile asks for it where it is missed, and goes on: `run` is tried again once it is
 * there. Draw `dialog` outside of any form.
 */
export function useProfileFirst() {
  const [opened, setOpened] = useState(false);
  const waiting = useRef<{ go: () => void; stop: (error: Error) => void }>(undefined);
  const run = async <Result,>(does: () => Promise<Result>): Promise<Result> => {
    try {
      return await does();
    } catch (error) {
      if (!(error instanceof ApiError) || error.token !== 'profile_incomplete') throw error;
      await new Promise<void>((go, stop) => {
        waiting.current = { go, stop: () => stop(error) };
        setOpened(true);
      });
      return await does();
    }
  };
  const dialog = opened ? (
    <ProfileDialog
      onClose={() => {
        setOpened(false);
        waiting.current?.stop(new Error());
      }}
      onSaved={() => {
        setOpened(false);
        waiting.current?.go();
      }}
    />
  ) : null;
  return { run, dialog };
}

function ProfileDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const t = useTexts(launchTexts);
  const c = useTexts(common);
  const { data } = useQuery(profile);
  const { mutateAsync } = useWrite(saveProfile);
  if (data === undefined) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.profileTitle}
      closeButtonProps={{ 'aria-label': c.close }}
      centered
    >
      <Stack>
        <Text size="sm">{t.profileLead}</Text>
        <Form<Values>
          route="PUT /api/advertiser/auth/profile"
          values={{
            contact_name: data.contact_name ?? '',
            company_name: data.company_name ?? '',
            mobile: data.mobile ?? '',
          }}
          guarded={false}
          submit={t.profileSave}
          send={async (body) => {
            await mutateAsync({ body });
            onSaved();
          }}
        >
          <TextField name="contact_name" label={t.contact} autoComplete="name" required />
          <TextField name="company_name" label={t.company} autoComplete="organization" />
          <TextField name="mobile" label={t.mobile} autoComplete="tel" />
        </Form>
      </Stack>
    </Modal>
  );
}
