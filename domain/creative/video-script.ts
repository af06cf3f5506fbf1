import { escapeUrl, scriptJson } from './escape.ts';
import { VIEW_SECONDS } from './vast.ts';

/**
 * Tells how far the video of an ad's document has played, under the names that VAST players use, each
 * once. What counts is `played`, the parts that were really shown: a seek adds nothing to it, and a
 * part seen twice counts once. A player that rounds leaves up to a fiftieth of the end out.
 *
 * `progressUrl` takes the name at its end. Null tells the page around instead (interface 2.12): under
 * v2 what bills is signed when it happens, which the page's script does. `wd=1` says that the browser is
 * automated, where no key is at hand to say it by `_d`.
 */
export function videoScript(progressUrl: string | null): string {
  const url = progressUrl === null || escapeUrl(progressUrl) === '' ? null : progressUrl;
  return `<script>${SCRIPT}(document.querySelector('video'),${scriptJson(url)})</script>`;
}

const SCRIPT = `(function(video,url){
var reported={};
function report(name){
if(reported[name])return;
reported[name]=true;
if(url)new Image().src=url+name+(navigator.webdriver?'&wd=1':'');else parent.postMessage({adpVideo:name},'*');
}
video.ontimeupdate=video.onended=function(){
var played=video.played,length=video.duration,seconds=0,i;
for(i=0;i<played.length;i++)seconds+=played.end(i)-played.start(i);
if(!(seconds>0&&length>0))return;
report('start');
if(seconds>=length/4)report('firstQuartile');
if(seconds>=length/2)report('midpoint');
if(seconds>=length*3/4)report('thirdQuartile');
if(seconds>=${VIEW_SECONDS}&&length>${VIEW_SECONDS})report('view');
if(video.ended&&seconds>=length*.98)report('complete');
};
})`;
