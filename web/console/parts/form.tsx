import { Group, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Path,
  useForm,
  type UseFormReturn,
} from 'react-hook-form';
import { ApiError, type FieldError, type RouteName } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { rules } from '../texts/rules.ts';
import { Failed } from './failed.tsx';
import { FormRoute } from './field-rule.ts';
import { FaultList, faultsOf, FieldLabels, useFaultWords } from './form-faults.tsx';
import { useSaidWhenGone } from './gone.ts';
import { RefusableButton, useForbidden } from './permission.tsx';
import { useMarks, useTexts } from './texts.ts';
import { Unsaved } from './unsaved.ts';

interface FormProps<Values extends FieldValues> {
  /** Mirror the form; `send` makes the request of them. Fields are named as the API names them. */
  values: DefaultValues<Values>;
  send: (values: Values) => Promise<unknown>;
  /** Where they go: its schema's bounds are said of a field before anything is sent, and its roles asked. */
  route?: RouteName;
  submit?: string;
  cancel?: ReactNode;
  /** Asks before somebody leaves what they wrote. */
  guarded?: boolean;
  /** Beside the form where there is room, such as a summary; it reads the form's values too. */
  aside?: ReactNode;
  /** Of this field, as soon as the form is drawn: what had the focus has gone with the step before it. */
  focusOn?: string;
  /** Instead of the refusal, where somebody else has changed the record since it was read. */
  overtaken?: ReactNode;
  /** When it was not sent at all, for a field that is wrong. */
  onRefused?: () => void;
  children: ReactNode | ((form: UseFormReturn<Values>) => ReactNode);
}

/**
 * One way for a form to be refused: each wrong field of a 422 says so itself and the first gets the
 * focus; what belongs to no field of this form stands above the button, and there several that are
 * wrong are listed by name. All of it is said to those who do not see them: the focus may be there
 * already, and then says nothing (WCAG 4.1.3).
 */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const {
    values,
    send,
    route,
    submit,
    cancel,
    guarded = true,
    aside,
    focusOn,
    overtaken,
    onRefused,
    children,
  } = props;
  const forbidden = useForbidden(route);
  const t = useTexts(common);
  const says = useTexts(rules);
  const { gap } = useMarks();
  const form = useForm<Values>({ defaultValues: values });
  const { isDirty, isSubmitting, errors } = form.formState;
  const [refused, setRefused] = useState('');
  const [labels] = useState(() => new Map<string, string>());
  const say = useFaultWords(labels);
  const { setFocus } = form;
  const sayWhenGone = useSaidWhenGone();
  // The field is there when it is drawn.
  useEffect(() => {
    if (focusOn !== undefined) setFocus(focusOn as Path<Values>);
  }, [focusOn, setFocus]);
  const isUnsaved = guarded && isDirty && !isSubmitting;
  const around = useContext(Unsaved);
  // The dialog is told, and does not draw itself anew for it.
  useEffect(() => {
    if (around !== null) around.current = isUnsaved;
  }, [around, isUnsaved]);
  useBlocker({
    shouldBlockFn: () => !globalThis.confirm(t.unsaved),
    enableBeforeUnload: () => guarded && isDirty && !isSubmitting,
    disabled: !isUnsaved,
  });
  const sayRefused = (): void => {
    const faults = faultsOf(form);
    setRefused(
      faults.length === 0 ? '' : [says.refused(faults.length), ...faults.map(say)].join(gap),
    );
  };
  const onSubmit = form.handleSubmit(
    async (given) => {
      if (forbidden !== null) return;
      try {
        await send(given);
        setRefused('');
        // A form that stays goes on from what was sent: only what is written after it is unsaved.
        form.reset(given, { keepValues: true });
      } catch (error) {
        showRefusal(form, error as Error);
        sayRefused();
        sayWhenGone(error as Error);
      }
    },
    () => {
      sayRefused();
      onRefused?.();
    },
  );
  const rest = errors.root?.['refusal'] as unknown as { error: Error } | undefined;
  const drawn = (
    <form className="form" onSubmit={(event) => void onSubmit(event)} noValidate>
      <Stack gap="md">
        <fieldset className="form-fields" disabled={forbidden !== null}>
          <Stack gap="md">{typeof children === 'function' ? children(form) : children}</Stack>
        </fieldset>
        {rest !== undefined && <Refused error={rest.error} overtaken={overtaken} />}
        {refused !== '' && (
          <FaultList
            faults={faultsOf(form)}
            say={say}
            onGo={(name) => setFocus(name as Path<Values>)}
          />
        )}
        <div className="visually-hidden" role="status">
          {/* Empty in between, so that the same words are said again. */}
          {isSubmitting ? '' : refused}
        </div>
        <Group justify="flex-end">
          {cancel}
          <RefusableButton type="submit" loading={isSubmitting} refusal={forbidden}>
            {submit ?? t.save}
          </RefusableButton>
        </Group>
      </Stack>
    </form>
  );
  return (
    <FormProvider {...form}>
      <FormRoute value={route}>
        <FieldLabels value={labels}>
          {aside === undefined ? (
            drawn
          ) : (
            <div className="form-and-aside">
              {drawn}
              <aside>{aside}</aside>
            </div>
          )}
        </FieldLabels>
      </FormRoute>
    </FormProvider>
  );
}

function Refused({ error, overtaken }: { error: Error; overtaken: ReactNode }) {
  return (isOvertaken(error) ? overtaken : undefined) ?? <Failed error={error} />;
}

/** By a change of somebody else's. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 412;

function showRefusal<Values extends FieldValues>(form: UseFormReturn<Values>, error: Error): void {
  const fields = error instanceof ApiError ? error.errors : [];
  const known = fields.filter(({ field }) => isFieldOf(form, field));
  known.forEach(({ field, message }, index) => {
    form.setError(field as Path<Values>, { type: 'server', message }, { shouldFocus: index === 0 });
  });
  if (known.length === fields.length && fields.length > 0) return;
  // A field that is drawn has its own label and says it there.
  const rest = known.length === 0 ? error : without(error as ApiError, known);
  form.setError('root.refusal', { type: 'server', error: rest } as unknown as { type: string });
}

const without = (error: ApiError, said: readonly FieldError[]): ApiError =>
  Object.assign(Object.create(ApiError.prototype) as ApiError, error, {
    message: error.message,
    errors: error.errors.filter((each) => !said.includes(each)),
  });

/** Drawn now, as a field of its own or as the one that a longer name belongs to. */
function isFieldOf<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  field: string,
): boolean {
  const names = form.control._names.mount;
  return names.has(field as Path<Values>);
}
