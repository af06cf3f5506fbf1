/** What somebody is told by letter about their own login, and cannot switch off (interface 5.17). */
export type SecurityEvent =
  | 'new_device'
  | 'password_changed'
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'payee_added'
  | 'payee_removed'
  | 'payee_default'
  | 'recovery_asked'
  | 'recovery_vouched'
  | 'recovery_granted'
  | 'recovery_refused'
  | 'email_change_asked'
  | 'email_changed';
