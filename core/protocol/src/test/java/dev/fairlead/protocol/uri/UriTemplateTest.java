package dev.fairlead.protocol.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.Optional;

/** URI templates of RFC 6570, with the values and examples of its sections 1.2 and 3.2. */
@Requirement("RES-005")
class UriTemplateTest {
    private static final Map<String, String> VALUES =
            Map.of(
                    "var", "value",
                    "hello", "Hello World!",
                    "half", "50%",
                    "path", "/foo/bar",
                    "empty", "",
                    "x", "1024",
                    "y", "768",
                    "who", "fred",
                    "dub", "me/too",
                    "v", "6");

    @Nested
    class Expansion {
        @ParameterizedTest
        @CsvSource(
                delimiter = ' ',
                quoteCharacter = '"',
                value = {
                    "{var} value",
                    "{hello} Hello%20World%21",
                    "{half} 50%25",
                    "O{empty}X OX",
                    "O{undef}X OX",
                    "{x,y} 1024,768",
                    "{x,hello,y} 1024,Hello%20World%21,768",
                    "?{x,empty} ?1024,",
                    "?{x,undef} ?1024",
                    "?{undef,y} ?768",
                    "{+var} value",
                    "{+hello} Hello%20World!",
                    "{+half} 50%25",
                    "{+path}/here /foo/bar/here",
                    "here?ref={+path} here?ref=/foo/bar",
                    "up{+path,x}/here up/foo/bar,1024/here",
                    "{#var} \"#value\"",
                    "{#path,x}/here \"#/foo/bar,1024/here\"",
                    "X{#undef} X",
                    "{.who} .fred",
                    "X{.x,y} X.1024.768",
                    "X{.empty} X.",
                    "{/var,x}/here /value/1024/here",
                    "{/who,dub} /fred/me%2Ftoo",
                    "{/var,empty} /value/",
                    "{;x,y} ;x=1024;y=768",
                    "{;x,y,empty} ;x=1024;y=768;empty",
                    "{;v,undef,who} ;v=6;who=fred",
                    "{?x,y} ?x=1024&y=768",
                    "{?x,y,empty} ?x=1024&y=768&empty=",
                    "{?x,undef} ?x=1024",
                    "?fixed=yes{&x} ?fixed=yes&x=1024",
                    "{&x,y,empty} &x=1024&y=768&empty="
                })
        void followsTheRfc(String template, String uri) {
            assertThat(new UriTemplate(template).expand(VALUES)).isEqualTo(uri);
        }

        @Test
        void writesTextOfAnyLanguage() {
            assertThat(new UriTemplate("city://{name}/now").expand(Map.of("name", "서울 ☀")))
                    .isEqualTo("city://%EC%84%9C%EC%9A%B8%20%E2%98%80/now");
        }
    }

    @Nested
    class Matching {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "a://{var}",
                    "a://{hello}",
                    "a://{x}/{half}",
                    "a://{x,hello,y}",
                    "a://here/{+path}",
                    "a://here{#path}",
                    "a://here{.who}",
                    "a://here{/var,x}/there",
                    "a://here{/who,dub}",
                    "a://here{;x,y,empty}",
                    "a://here{?x,y,empty}",
                    "a://here?fixed=yes{&x,y}"
                })
        void isTheInverseOfExpansion(String text) {
            UriTemplate template = new UriTemplate(text);
            String uri = template.expand(VALUES);

            Optional<Map<String, String>> found = template.match(uri);

            assertThat(found).as(uri).isPresent();
            for (String name : template.variables()) {
                assertThat(found.orElseThrow()).containsEntry(name, VALUES.get(name));
            }
        }

        @Test
        void decodesPercentEncoding() {
            assertThat(new UriTemplate("city://{name}/now").match("city://S%C3%A3o%20Paulo/now"))
                    .contains(Map.of("name", "São Paulo"));
        }

        @Test
        void takesTextThatTheClientLeftUnencoded() {
            assertThat(new UriTemplate("city://{name}/now").match("city://São Paulo/now"))
                    .contains(Map.of("name", "São Paulo"));
        }

        @Test
        void takesTheParametersOfAQueryInAnyOrder() {
            UriTemplate template = new UriTemplate("a://b{?x,y}");

            assertThat(template.match("a://b?y=2&x=1")).contains(Map.of("x", "1", "y", "2"));
            assertThat(template.match("a://b?y=2")).contains(Map.of("y", "2"));
            assertThat(template.match("a://b")).contains(Map.of());
        }

        @ParameterizedTest
        @CsvSource({
            "a://{x}/b, a://1/2/b",
            "a://{x}/b, a:///b",
            "a://{x}/b, a://1/c",
            "a://{x}/b, A://1/b",
            "a://b{?x}, a://b?z=1",
            "a://b{?x}, a://b?x=1&x=2",
            "a://{x}, a://%FF",
            "a://{x}, a://%C3%28"
        })
        void refusesWhatTheTemplateDoesNotSay(String template, String uri) {
            assertThat(new UriTemplate(template).match(uri)).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "file:///data/{+path}, file:///data/../etc/passwd",
            "file:///data/{+path}, file:///data/a/%2e%2e/b",
            "file:///data/{+path}, file:///data/a%5C..%5Cb",
            "file:///data/{name}, file:///data/..%2Fetc",
            "file:///data/{name}, file:///data/..",
            "file:///data/{name}, file:///data/a%00b"
        })
        @Requirement("RES-014")
        void refusesValuesThatClimbOut(String template, String uri) {
            assertThat(new UriTemplate(template).match(uri)).isEmpty();
        }

        @Test
        void looksAtNoUriBeyondItsLimit() {
            UriTemplate template = new UriTemplate("a://{x}");
            String longest = "a://" + "x".repeat(UriTemplate.MAX_URI_LENGTH - 4);

            assertThat(template.match(longest)).isPresent();
            assertThat(template.match(longest + "x")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a://{x",
                "a://x}",
                "a://{}",
                "a://{x:3}",
                "a://{x*}",
                "a://{x}/{x}",
                "a://{x y}",
                "a://{|x}"
            })
    void refusesTemplatesThatItDoesNotKnow(String template) {
        assertThatThrownBy(() -> new UriTemplate(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(template);
    }
}
