import { isSameName } from '../../domain/same-name.ts';

const person = { isCompany: false };
const company = { isCompany: true };

describe('a person', () => {
  test.each([
    ['Anna Schmidt', 'anna  SCHMIDT'],
    ['Anna Schmidt', 'Schmidt, Anna'],
    ['José Núñez', 'JOSE NUNEZ'],
    ['Jürgen Müller', 'Juergen Mueller'],
    ['Jürgen Müller', 'JURGEN MULLER'],
    ['Søren Ødegård', 'Soren Odegard'],
    ['Łukasz Żak', 'Lukasz Zak'],
    ['Hans Weiß', 'Hans Weiss'],
    ['Işıl Çelik', 'ISIL CELIK'],
    ['Anna-Maria Schmidt', 'Anna Maria Schmidt'],
    ['Anna Maria Schmidt', 'Anna Schmidt'],
    ['John Smith', 'J. Smith'],
    ['John Fitzgerald Smith', 'John F Smith'],
    ["Sean O'Brien", 'Sean O’Brien'],
    ['Dr. Anna Schmidt', 'Anna Schmidt'],
    ['Ａｎｎａ Schmidt', 'Anna Schmidt'],
    ['李雷', '李 雷'],
    ['阿依古丽·买买提', '阿依古丽买买提'],
  ])('%s · %s · is one', (one, other) => {
    expect(isSameName(one, other, person)).toBe(true);
    expect(isSameName(other, one, person)).toBe(true);
  });

  test.each([
    ['Anna Schmidt', 'Anna Schneider'],
    ['Anna Schmidt', 'Hanna Schmidt'],
    ['Anna Schmidt', 'Schmidt'],
    ['Anna Schmidt', 'Anna'],
    ['John Smith', 'J. S.'],
    ['John Smith', 'P. Smith'],
    ['Anna Schmidt', 'Schmidt Media GmbH'],
    ['Anna Maria Schmidt', 'Anna Eva Schmidt'],
    ['李雷', '韩梅梅'],
    ['李雷', '雷李'],
    ['李雷', 'Li Lei'],
    ['', ''],
    ['...', '---'],
  ])('%s · %s · is another', (one, other) => {
    expect(isSameName(one, other, person)).toBe(false);
    expect(isSameName(other, one, person)).toBe(false);
  });
});

describe('a company', () => {
  test.each([
    ['Jetty Ltd', 'JETTY LIMITED'],
    ['Jetty Ltd.', 'Jetty'],
    ['Jetty Inc', 'Jetty, Incorporated'],
    ['Alpha & Beta GmbH', 'Alpha and Beta GmbH'],
    ['Alpha Media S.A.', 'ALPHA MEDIA SA'],
    ['Shenzhen Jetty Co., Ltd.', 'Shenzhen Jetty Limited'],
    ['Jetty Pty Ltd', 'Jetty Ltd'],
    ['Société Générale SA', 'Societe Generale'],
    ['深圳市码头科技有限公司', '深圳市码头科技 有限公司'],
    ['深圳市码头科技有限公司', '深圳市码头科技有限责任公司'],
    ['码头（上海）科技有限公司', '码头(上海)科技有限公司'],
    ['Limited', 'limited'],
  ])('%s · %s · is one', (one, other) => {
    expect(isSameName(one, other, company)).toBe(true);
    expect(isSameName(other, one, company)).toBe(true);
  });

  test.each([
    ['Jetty Ltd', 'Jetty GmbH'],
    ['Jetty Media Ltd', 'Jetty Ltd'],
    ['Jetty Ltd', 'Quay Ltd'],
    ['Jetty Ltd', 'Anna Schmidt'],
    ['深圳市码头科技有限公司', '深圳市码头贸易有限公司'],
    ['码头科技有限公司', '码头科技股份有限公司'],
  ])('%s · %s · is another', (one, other) => {
    expect(isSameName(one, other, company)).toBe(false);
    expect(isSameName(other, one, company)).toBe(false);
  });
});
