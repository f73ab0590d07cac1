package dev.fairlead.protocol.tools;

import dev.fairlead.json.Keyword;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has an argument of a tool repeated in an HTTP header, so that proxies can route and count calls
 * without reading their bodies: {@code x-mcp-header} in the schema. With {@code @Header("Region")}
 * clients of revision 2026-07-28 and later send the argument as {@code Mcp-Param-Region} too. The
 * handler gets the argument of the body; a call whose header differs from it is refused with {@code
 * -32020}.
 *
 * <p>Applies to strings, enums, booleans and integers, and to types that are one of these in JSON.
 * Headers are visible on the way: do not use it for secrets.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 *     Arguments in headers
 */
@Documented
@Keyword(
        value = "x-mcp-header",
        matches = "[!#$%&'*+.^_`|~0-9A-Za-z-]+",
        expected = "a token of RFC 9110")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Header {
    /**
     * The name of the header behind {@code Mcp-Param-}: a token of RFC 9110 that, ignoring case, no
     * other argument of the tool has. A tool that breaks these rules is refused when it is
     * declared.
     */
    String value();
}
