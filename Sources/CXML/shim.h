#include <libxml/xmlversion.h>

/// Where libxml2 was built with ICU its headers include the system's, whose types collide with those of the ICU inside
/// Foundation. Only the private fields of a character set converter depend on it, which nothing here looks at.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
