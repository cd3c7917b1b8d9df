"""The rules of the PTB tokeniser as tables: what may be a token.

At each place the rule that sees furthest wins, what it looks ahead at included; of equals the first.
A rule's first group is the token; what follows the group is looked at and left in place.
"""

from __future__ import annotations

import re

# What may stand at the end of a sentence, and what stands before a name.
_ABBREVIATIONS = (
    "al ala apr ariz assn aug bancorp bhd bldg blvd bros calif co colo conn corp cos ct dak"
    " dec ed.d esq est etc ext feb fla fri ga inc ind intl jan jr jul jun kan kans ky ltd mar"
    " md mich minn mo mon mont neb nev nov oct okla penn ph.d plc rd rt sep sept seq sq sr tel"
    " tenn thu thurs tue tues univ va vt wed wis wisc wyo"
)
_TITLES = (
    "adj adm adv assoc asst atty attys ave brig capt cf cmdr col comdr cpl dept det dr drs"
    " ens ft gen gov govs hon insp lieut lt maj messrs mlle mme mr mrs ms msgr mt natl pfc ph"
    " pres prof profs pvt rep reps rev sen sens sgt spc st ste supt supts treas vs"
)
_ONLY_CAPITALISED = "ark del ill la mass miss ore pa tex wash"
_ONLY_BEFORE_DIGITS = "art ca fig figs no nos op pp prop"
# A letter before one of these ends a sentence and is no initial.
_BEGINNINGS = (
    "a an about according additionally after as at but earlier he her here however if in it last many"
    " more mr. ms. now once one other our she since so some such that the their then there these they"
    " this we what when while yet you"
)
_FILE_ENDINGS = (
    "bat bmp c cgi class cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl"
    " png ppt ps py sql tar txt wav x xml zip"
)

SPLIT_WORDS = frozenset({"cannot", "gonna", "gotta", "lemme", "gimme", "wanna"})


def _any_of(words: str) -> str:
    return "(?i:" + "|".join(sorted(map(re.escape, words.split()), key=len, reverse=True)) + ")"


# Letters and digits are those of the basic plane; marks that sit on letters are letters.
_NO_LETTERS = (
    r"\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u218f\u2460-\u24ff\u2776-\u2793\U00010000-\U0010ffff"
)
_MARKS = (
    r"\u00ad\u02c2-\u02df\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065e\u0670\u0900-\u0903"
    r"\u093c\u093e-\u094e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
_LETTER = rf"(?:(?![{_NO_LETTERS}])[^\W\d_]|[{_MARKS}]|&[aeiouAEIOU](?:acute|grave|uml);)"
_SIGN = rf"(?:{_LETTER}|\d)"
_TICK = r"(?:['\u0092\u2019]|&apos;)"
_TICKS = r"(?:['\u0092\u2019`\u0091\u2018\u201b]|&apos;)"

_WORD = rf"{_LETTER}{_SIGN}*(?:[.!?]{_LETTER}{_SIGN}*)*"
_FOREIGN = rf"(?:[dDoOlL]{_TICKS}{_SIGN})?"
_THING = rf"{_FOREIGN}{_SIGN}+(?:[-_\u058a\u2010\u2011]{_FOREIGN}{_SIGN}+)*"
_HYPHENED = (
    r"[A-Za-z0-9][A-Za-z0-9.,\u00ad]*"
    r"(?:-(?:[A-Za-z](?:\.[A-Za-z])+\.|[A-Za-z0-9\u00ad]+))+"
)
_INITIALS = r"[A-Z]+(?:(?:[+&]|&amp;)[A-Z]+)+"
_CLITIC = rf"{_TICK}(?i:[msd]|re|ve|ll)"
_NOT = rf"[nN]{_TICKS}[tT]"
_NUMBER = r"(?:\d*(?:[.:,\u00ad\u066b\u066c]\d+)+|\d+)"
_INNER_END = r"[,;:\u3001]"
_NAME = r"[A-Za-z][A-Za-z0-9_:.-]*"
_ATTRIBUTE = rf"(?: +{_NAME}(?: *= *(?:'[^'\r\n]*'|\"[^\"\r\n]*\"))?)"
_MARKUP = rf"<(?:[!?][A-Za-z-][^>\r\n]*|{_NAME}{_ATTRIBUTE}* */?|/{_NAME}) *>"
_ENDING = rf"(?:{_any_of(_ABBREVIATIONS)}|(?=[A-Z]){_any_of(_ONLY_CAPITALISED)})"
_TOP = r"(?:com|net|org|edu)"
_GLUED = r"[^\s\"`'<>|.!?(){},-_$]"
_HOST = r"[^\s\"<>|.!?(){},]"
_SITE = rf"(?:www\.(?:{_HOST}+\.)+[a-zA-Z]{{2,4}}|(?:{_GLUED}+\.)+{_TOP})"
_MAILBOX = r"[a-zA-Z0-9][^\s\"<>|(){}]*@(?:[^\s\"<>|(){}.]+\.)*[^\s\"<>|(){}.]+"
_AREA = r"(?:\(\d{2,3}\)[ \u00a0]?|(?:\+\+?)?(?:\d{2,4}[- \u00a0])?\d{2,4}[- \u00a0])"
_PICTURES = (
    r"\xa1-\xac\xae-\xb9\xbb-\xbf\xd7\xf7\u2016-\u205e\u20a0-\u20ac\u2100-\u214f\u2153-\u215e"
    r"\u2190-\u2bff\u3001\u3002\u3012\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)

_TABLE = (
    # Words that come apart.
    r"((?i:can))(?i:not)",
    r"((?i:gon|wan))(?i:na)",
    r"((?i:got))(?i:ta)",
    r"((?i:lem|gim))(?i:me)",
    r"('[tT])(?i:is|was)",
    # Markup and entities.
    rf"({_MARKUP})",
    r"(-(?i:[lr][rcs]b)-)",
    r"(&(?:MD|mdash|ndash);|[\u0096\u0097\u2013-\u2015])",
    r"(&(?:amp|lt|gt|quot|HT|TL|UR|LR|QC|QL|QR|odq|cdq|#\d+);)",
    # Words, and what hangs on them.
    rf"({_WORD}|\d+){_CLITIC}",
    rf"([A-Za-z]*[A-MO-Za-mo-z]){_NOT}",
    rf"({_WORD})",
    rf"({_TICK}[nN]{_TICK}?|[lLdDjJ]{_TICK}|[dD]unkin{_TICK}|somethin{_TICK}|ol{_TICK})",
    rf"({_TICK}(?i:em|till?|cause|[2-9]0s)|cont'd\.|nor'easter|c'mon|e'er)",
    rf"(s'mores|ev'ry|li'l|nat'l|[oO]{_TICKS}[oO]|[A-HJ-XZn]{_TICKS}{_LETTER}{{2,}})",
    rf"({_LETTER}+[aeiouyAEIOUY]{_TICKS}[aeiouA-Z]{_LETTER}*)",
    rf"(y{_TICK}){_LETTER}",
    # Addresses.
    r"((?i:https?)://[^\s\"<>|(){}]+[^\s\"<>|.!?(){},-])",
    rf"({_SITE}(?:/[^\s\"<>|()]+[^\s\"<>|.!?(){{}},-])?)",
    rf"((?:&lt;|<)?{_MAILBOX}(?:&gt;|>)?)",
    rf"([@\uff20][A-Za-z_][A-Za-z_0-9]*|[#\uff03]{_LETTER}+)",
    # Clitics on their own.
    rf"({_CLITIC}|{_NOT})[^A-Za-z]",
    # Numbers.
    r"(\d{1,2}[-/]\d{1,2}[-/]\d{2,4})",
    rf"([-+]?{_NUMBER})",
    r"([\u207a\u207b\u208a\u208b]?(?:[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+|[\u2080-\u2089]+))",
    r"((?:\d{1,4}[- \u00a0])?\d{1,4}(?:\\?/|\u2044)\d{1,4})",
    rf"({_AREA}\d{{3,4}}[- \u00a0]?\d{{3,5}})",
    rf"({_TICK}\d\d)(?:\s|\Z)",
    r"([cC]\+\+|[cCfF]#)",
    r"([A-Za-z0-9]+(?:-[A-Za-z]+){0,2}(?:\\?/[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}){1,2})",
    r"([A-Z]*\$)",
    # What keeps its period.
    rf"((?:{_ENDING}|{_any_of(_TITLES)}|[Mm]fg|[Pp]ty|[A-Za-z])\.)",
    rf"({_ENDING}\.){_LETTER}(?!{_SIGN})[\s\S]",
    rf"([A-Za-z])\.\s+(?:(?=[A-Z]){_any_of(_BEGINNINGS)}|{_MARKUP})\s",
    rf"({_any_of(_ONLY_BEFORE_DIGITS)}\.)\s?\d",
    r"([A-Za-z](?:\.[A-Za-z])+\.)",
    rf"((?:{_LETTER}|\d)+(?:\.{_SIGN}+)*\.{_any_of(_FILE_ENDINGS)})[\s.,?!]",
    rf"((?:{_WORD}|{_THING}|{_INITIALS}|{_HYPHENED})\.){_INNER_END}",
    # Faces.
    r"([<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]])[^A-Za-z0-9]",
    r"([-^x=~<>']_[-^x=~<>']|\([-^x=~<>'][_.]?[-^x=~<>']\))",
    # Things joined by hyphens, underscores and ampersands.
    rf"({_HYPHENED})",
    rf"({_THING})",
    r"((?i:anti|pro)-)",
    rf"({_INITIALS})",
    # Runs of marks.
    r"(-+)",
    r"(\.{3,5}|(?:\.[ \u00a0]){2,4}\.|\u2026)",
    r"(@+|#+|_+|\*+|\\\*|[?!]+|<<|>>|``?|''?|&apos;)",
    # An opening quote belongs to no clitic.
    r"(')[A-Za-z][^\s]",
    rf"({_CLITIC}|{_NOT})",
    r"([`\u0091-\u0094\xab\xbb\u2018-\u201d\u2039\u203a]{1,2})",
    rf"([\x21-\x7e\x80\x91-\x94{_PICTURES}])",
)

CLITIC = re.compile(rf"{_CLITIC}|{_NOT}")
RULES = tuple(map(re.compile, _TABLE))
