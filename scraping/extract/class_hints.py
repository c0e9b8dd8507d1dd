"""What names of classes, ids and roles say about a part of a page.

A name such as `post-shareButtons` is cut into its words (post, share, buttons); words, and two
words in a row written together, are looked up. Names about layout and state say nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

GOOD = 1
"""Named as the main text: `article-body`, `entry-content`, `itemprop=articleBody`."""
CHROME = 2
"""Around the content: navigation, header, footer, sidebar, banners, dialogs."""
EXTRA = 4
"""In or beside the content, and not of it: share bars, related links, bylines, forms."""
COMMENTS = 8
"""Readers' comments; the content itself in a forum."""
HIDDEN = 16
"""Not shown: skip links, text for screen readers, closed dialogs."""
THREAD = 32
"""A post, message, answer or review: what a forum is made of."""

_WORDS = {
    GOOD: """
        articlebody articlecontent articletext articlemain articlecopy bodytext bodycopy
        postbody postcontent posttext entrycontent entrybody entrytext storybody storycontent
        storytext newsbody newscontent newstext pagecontent pagebody maincontent maintext
        contentbody contentmain contenttext contentarticle blogcontent blogpost singlecontent
        richtext wikicontent bodycontent parseroutput markdown markdownbody rstcontent prose
        docmarkdown documentation fieldbody namebody corps contenu textearticle articletexte
        hentry productdescription recipecontent lyricsbody fulltext fullcontent instapaperbody
        articledetail articledetails newsdetail newsdetails postentry description usercontent
    """,
    CHROME: """
        nav navbar navheader navfooter navigation navigator menu menus submenu megamenu
        sidebar sphinxsidebar sidenav siderail
        sidecol sidemenu rightrail rightcol rightcolumn rightbar leftrail leftnav leftcolumn
        masthead topbar topnav siteheader sitefooter sitenav globalheader globalfooter globalnav
        pagefooter pageheader footer foot footernav footerlinks breadcrumb breadcrumbs crumbs
        crumb filariane ariane cookie cookies consent gdpr rgpd onetrust didomi cmp modal popup
        lightbox toolbar pager pagination paginator pagenav pagenavi toc tableofcontents
        complementary contentinfo skiplink skiplinks skipnav skipto offcanvas
        drawer dropdown langswitch languageswitcher langselector languageselector languages
        sitemap copyright colophon alertdialog dialog searchform searchbox searchbar search
        loginform loginbox login signin paywall regwall tablist navbox catlinks editsection
        printfooter sistersitebox siderbar barrelaterale colonnedroite tabnav
        accountmenu usermenu subnav secondarynav toggle collapsebtn hamburger
    """,
    EXTRA: """
        share shares sharing sharer sharers sharedaddy sharebar sharebox sharethis sharetools
        social socials socialmedia socialbar sociallinks addtoany addthis followus follow
        related relatedposts relatedarticles relatednews recommend recommended recommendation
        recommendations recommendedposts readmore readnext readalso morestories morenews
        morefrom morearticles moreposts morelinks moreon morein alsoread alsolike youmay
        similarposts similararticles popular trending trends mostread mostviewed mostpopular
        mostshared mostrecent latestnews latestposts lateststories latestarticles recentposts
        recentarticles recentcomments topstories teaser teasers promo promos promotion sponsor
        sponsored sponsors outbrain taboola zergnet mgid dianomi revcontent advert adverts
        advertisement advertising ads ad adsense adsbygoogle googlead dfp adunit adslot adbox
        adcontainer adwrapper adplaceholder publicite pub newsletter newsletters subscribe
        subscription subscriptions subscriber signup mailchimp mailinglist calltoaction cta
        widget widgets rating ratings vote votes byline bylines authorbio authorbox authorinfo
        authorcard authormeta authordesc authorlink authorname authorsocial aboutauthor
        theauthor biography bio postmeta postinfo postnav posttags postfooter postauthor
        postdate postcategory entrymeta entryfooter entryutility entrytags entrydate articlemeta
        articlefooter articletags articleinfo articletools articlenav articleactions
        articlerelated articledate articleauthor storymeta storyfooter storytags storytools
        storyinfo dateline dateheader postedon pubdate publishdate timestamp metadata meta
        taglist tagcloud taglinks tags categories
        catslinks catlinks keywords topicslist printlink printbutton tools actions nextpost
        nextarticle nextprev prevpost prevarticle prevnext postnavigation jprelatedposts poll
        polls feedback washelpful reporterror reportabuse figcaption credit
        credits slideshow carousel photocredit imagecredit ticker
        countdown hatnote ambox noprint noexcerpt alire lireaussi avoir surlememe memesujet
        partage partager abonne abonnement abonnez inscription pluslus encontinu pinterest
        facebook twitter whatsapp donate donation donations supportus petition crosssell upsell
        recentlyviewed addtocart addtobasket addtowishlist wishlist minicart paymentmethods
        paymenticons trustbadge trustbadges storelocator appdownload appstore appbanner qrcode
        rss feedlink permalink trackback pingback signature userinfo usercard userstats
        userpanel userdetails postprofile avatar reputation messageuser messageattribution
        posterinfo postbit_userinfo icons badges announcement announcements
    """,
    COMMENTS: """
        comment comments commentlist commentarea commentsection commentcontainer commentsarea
        commentslist commentform commentbody commentcontent commenttext commentitem
        commentthread commentaire commentaires disqus livefyre fbcomments respond replyform
        replies responses talkback coral spotim hypercomments usercomments التعليقات تعليقات
    """,
    HIDDEN: """
        editsection headerlink editlink anchorlink anchorjs hashlink headinganchor
        sronly screenreader readertext visuallyhidden visualhidden elementinvisible hidetext
        printonly onlyprint noscript jsdisabled browserupgrade browserwarning browserupdate
        oldbrowser assistivetext accessiblyhidden ariahidden offscreen
    """,
    THREAD: """
        forum thread threads post posts postbody postcontent posttext postmessage postcontainer
        postrow postwrap message messages messagebody messagecontent messagetext answer answers
        answercell postcell question questions review reviews reviewbody reviewcontent
        reviewtext reviewitem topicpost topicbody reply discussion discussions viewtopic phpbb
        vbulletin ipscomment cooked usertext qa
    """,
}
_BY_WORD: dict[str, int] = {}
for _flag, _list in _WORDS.items():
    for _word in _list.split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | _flag

_CUT = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+|[\u0620-\u064a]+")
# Names of layouts, states and spacing that say nothing about the element's own content.
_LAYOUT = re.compile(
    r"(?:has|with|no|without|js|is|not|tag|category|cat|author|postid|type|status|format|post_tag"
    r"|topic|user|product_cat|product_tag|channel|section|keyword|layout|grid|col|row|min|max|flex|theme|template|page"
    r"|single|wp-block|wp-singular|elementor|et_pb|vc)[-:_].*|.*[:\[/].*|.*(?:-open|-active|-enabled|-loaded|-wide)",
    re.IGNORECASE,
)


@lru_cache(maxsize=50_000)
def read_hints(names: str) -> int:
    """Flags of what an element's class, id, role or itemprop says."""
    flags = 0
    for name in names.split()[:20]:
        flags |= _read_name(name)
    return flags


@lru_cache(maxsize=50_000)
def _read_name(name: str) -> int:
    if len(name) > 80 or _LAYOUT.fullmatch(name):
        return 0
    words = [word.lower() for word in _CUT.findall(name)]
    flags = 0
    for word in words:
        flags |= _BY_WORD.get(word, 0)
    for left, right in pairwise(words):
        flags |= _BY_WORD.get(left + right, 0)
    return flags
