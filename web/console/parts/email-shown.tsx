import { Fragment } from 'react';

/** An e-mail address, which goes on in the next line at its @ or a dot where there is no room for it in one. */
export const EmailShown = ({ email }: { email: string }) => (
  <span data-email>
    {email.split(/(?=[@.])/).map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one address, which have no other name
      <Fragment key={at}>
        {at > 0 && <wbr />}
        <span>{part}</span>
      </Fragment>
    ))}
  </span>
);
