/**
 * The script of every ad's document. It runs in a frame of any page, in nobody's origin, and is the
 * same for every ad, so that documents can be made of ready pieces: what it reports to stands
 * beside the impression's address in the document itself.
 *
 * Viewability (MRC): half of the ad's pixels, 30 % of a large one, for one second without a break, two
 * for a video, while the tab is in sight. An observer inside a frame sees the whole page's
 * window, so a page that carries the frame alone measures as the SDK's pages do.
 *
 * A pixel without a source is one of a document that we serve: asked for here, and of an automated browser with
 * `wd=1`, which nobody else could say. A signed address takes no more words; what asked for its ad has said it.
 */
const LARGE_AD_PIXELS = 242_500;

/**
 * Escape is told to the page around, whose layer may close: after a click the keys go to the frame. From
 * a frame of its own further inside it is passed on, and nothing else of what such a frame says; what other
 * frames of the page say is not heard (any of them can reach this one).
 */
const ESCAPE = `function up(){parent.postMessage({adpKey:'Escape'},'*')}
addEventListener('keydown',function(e){if(e.key==='Escape')up()});
addEventListener('message',function(e){var s=e.source;if(s&&s!==self&&s.parent===self&&e.data&&e.data.adpKey==='Escape')up()});`;

export const ESCAPE_SCRIPT = `<script>(function(){${ESCAPE}})()</script>`;

export const AD_SCRIPT = `<script>(function(){
${ESCAPE}
var pixel=document.querySelector('.p'),box=document.querySelector('.b'),robot=navigator.webdriver?'wd=1':'',url=pixel.dataset.src;
if(url)pixel.src=url+(robot&&url.indexOf('?')<0?'?'+robot:'');
if(!window.IntersectionObserver)return;
var share=box.offsetWidth*box.offsetHeight>=${LARGE_AD_PIXELS}?.3:.5,wait=box.querySelector('video')?2e3:1e3,isIn=false,timer;
function look(){
clearTimeout(timer);
if(isIn&&document.visibilityState==='visible')timer=setTimeout(report,wait);
}
function report(){
observer.disconnect();
document.removeEventListener('visibilitychange',look);
new Image().src=pixel.src.replace('/track/impression/','/track/view/').split('?')[0]+'?s=viewable'+(robot&&'&'+robot);
}
var observer=new IntersectionObserver(function(entries){
isIn=entries[entries.length-1].intersectionRatio>=share;
look();
},{threshold:[0,.3,.5,1]});
observer.observe(box);
document.addEventListener('visibilitychange',look);
})()</script>`;
