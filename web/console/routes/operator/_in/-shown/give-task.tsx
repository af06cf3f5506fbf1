import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { Dialog } from '../../../../parts/dialog.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { SelectField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { profile } from '../../../../queries/operator/account.ts';
import { assign, assignees } from '../../../../queries/operator/task.ts';
import { common } from '../../../../texts/common.ts';
import { desk } from '../../../../texts/desk.ts';

/** Of those who may decide it, one; whoever has it already and the giver are not among them. */
export function GiveTask(props: {
  id: number;
  of: string;
  holder: number | undefined;
  close: () => void;
}) {
  const { id, of, holder, close } = props;
  const t = useTexts(desk);
  const marks = useMarks();
  const c = useTexts(common);
  const { data: me } = useQuery(profile);
  const { data, error, refetch } = useQuery(assignees(id));
  const { mutateAsync } = useWrite(assign);
  const others = data?.items.filter((each) => each.id !== me?.id && each.id !== holder);
  const nameOf = ({ username, nickname }: { username: string; nickname: string | null }) =>
    nickname === null || nickname === ''
      ? username
      : `${nickname}${marks.open}${username}${marks.close}`;
  return (
    <Dialog onClose={close} title={t.giveTitle(of)}>
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {others === undefined && error === null && <Loading height={120} />}
      {others?.length === 0 && <Text size="sm">{t.nobodyElse}</Text>}
      {others !== undefined && others.length > 0 && (
        <Form<{ assignee_id: number | null }>
          route="POST /api/admin/tasks/{id}/assign"
          values={{ assignee_id: null }}
          submit={t.giveSubmit}
          send={async (body) => {
            await mutateAsync({ path: { id }, body });
            told(t.given);
            close();
          }}
          cancel={
            <Button variant="default" onClick={close}>
              {c.cancel}
            </Button>
          }
        >
          <Text size="sm">{t.giveHelp}</Text>
          <SelectField
            name="assignee_id"
            label={t.colleague}
            options={others.map((each) => ({ value: String(each.id), label: nameOf(each) }))}
            numeric
            required
          />
        </Form>
      )}
    </Dialog>
  );
}
