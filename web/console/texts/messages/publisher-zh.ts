/** Sites with their proof, zones, and appeals against removed events. */
export const publisherMessages = {
  'Put this tag into the head of the home page.': '将此标签放入首页的 head 中。',
  'Serve a text file that holds this code and nothing else.':
    '在服务器上放置一个只包含此代码的文本文件。',
  'Add a TXT record with this value at this name.': '在此名称下添加一条值为此内容的 TXT 记录。',
  'Add this line to the file on the root domain.': '将此行添加到根域名下的文件中。',
  'A site of type {0} needs it.': '“{0}”类型的网站须填写此项。',
  'A site of type {0} is verified by {1}.': '“{0}”类型的网站可用以下方式验证：{1}。',
  'Set the url of the developer site first: its app-ads.txt is the proof.':
    '请先填写开发者网站的网址：其 app-ads.txt 即为归属证明。',
  'The media type of a site cannot change.': '网站的类型不能更改。',
  'must be a registrable domain, such as news.example.com':
    '须为可注册的域名，例如 news.example.com。',
  'must be a package name or mini-program id': '须为包名或小程序 ID。',
  'must be on {0}': '须位于 {0}。',
  'A suspended site keeps its name.': '已停用的网站不能更改名称。',
  'A suspended site is not archived.': '已停用的网站不能归档。',
  'Nobody asks for this domain.': '没有人申请此域名。',
  'No transfer of this domain is asked for.': '没有人申请转移此域名。',
  'The site that asks is no more.': '提出申请的网站已不存在。',
  'The site is not approved yet.': '网站尚未通过审核。',
  'This is not one of your sites.': '这不是您的网站。',
  'The site of a zone cannot change.': '广告位所属的网站不能更改。',
  'A zone of type {0} has no {1}.': '“{0}”类型的广告位没有 {1}。',
  'A zone of type {0} has no rewards to tell of.': '“{0}”类型的广告位没有可通知的奖励。',
  'There is no such format.': '没有此格式。',
  'This format is for {0}, the zone is {1}.': '此格式适用于“{0}”，而广告位为“{1}”。',
  '{0} has no size of its own.': '{0} 没有自己的尺寸。',
  'ad_type and type differ': '两处广告类型不一致。',
  'must be 0 or at least {0} seconds': '须为 0，或至少 {0} 秒。',
  'must have no query and no fragment: the query is what we report':
    '不能带查询参数和片段：查询参数由平台上报时填写。',
  'is not among your zones': '不在您的广告位中。',
  'must be over, and one of the last {0} days (UTC)':
    '须为已结束的日期，且在最近 {0} 天内（UTC）。',
  'Nothing of this zone was removed that day for this reason.':
    '此广告位当天没有因该原因剔除任何事件。',
  'This was appealed before.': '此前已申诉过。',
} as const;
