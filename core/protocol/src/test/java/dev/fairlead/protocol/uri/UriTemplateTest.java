package dev.fairlead.protocol.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}{+i}{+j}{+k}{+l}{+m}{+n}{+o}{+p}zzzzy",
                    "{+a}zz{+b}zz{+c}zz{+d}zz{+e}zz{+f}y",
                    "{+a,b,c,d,e,f,g,h,i,j}{#k}{?l}{&m}y",
                    "x{a}{b}{c}{d}{e}{f}{g}{h}{i}{j}y",
                    "{.a}{.b,c}{.d}{/e}{/f,g}{;h}{;i}{;j}y"
                })
        @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void takesTimeThatGrowsWithTheLengthsAlone(String text) {
            UriTemplate template = new UriTemplate(text);

            for (String repeated : List.of("x", "z", "x.", "x/", "x;", "x,", "?", "x&")) {
                String uri = repeated.repeat(UriTemplate.MAX_URI_LENGTH / repeated.length());
                assertThat(template.match(uri)).as(repeated).isEmpty();
            }
        }

        /**
         * Templates and URIs at random, against the regular expression that a template stands for.
         */
        @Test
        @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void takesTheLongestValuesFromTheLeft() {
            int matches = 0;
            for (int seed = 0; seed < 20_000; seed++) {
                Random random = new Random(seed);
                RandomTemplate template = RandomTemplate.of(random);
                String uri = RandomTemplate.text(random, 9);
                Optional<List<String>> expected = template.values(uri);
                Optional<Map<String, String>> found = new UriTemplate(template.text()).match(uri);
                assertThat(found.map(template::ordered))
                        .as("seed %d: %s with %s", seed, template.text(), uri)
                        .isEqualTo(expected);
                matches += expected.isPresent() ? 1 : 0;
            }
            assertThat(matches).isGreaterThan(1_000);
        }
    }

    /** A template of values without names, and its definition as a regular expression. */
    private record RandomTemplate(String text, String regex, List<String> names) {
        private static final Map<String, List<String>> VALUES =
                Map.of(
                        "", List.of("", ",", "[^/?#,]+"),
                        "+", List.of("", ",", ".*"),
                        "#", List.of("#", ",", ".*"),
                        ".", List.of("\\.", "\\.", "[^/?#]+"),
                        "/", List.of("/", "/", "[^/?#]+"));

        static String text(Random random, int longest) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(longest + 1); i > 0; i--) {
                text.append("aab,./#".charAt(random.nextInt(7)));
            }
            return text.toString();
        }

        static RandomTemplate of(Random random) {
            StringBuilder text = new StringBuilder(text(random, 2));
            StringBuilder regex = new StringBuilder(Pattern.quote(text.toString()));
            List<String> names = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String operator = VALUES.keySet().stream().sorted().toList().get(random.nextInt(5));
                int count = 1 + random.nextInt(3);
                List<String> added = new ArrayList<>();
                for (int k = 0; k < count; k++) {
                    added.add("v" + (names.size() + k));
                    regex.append(value(operator, k, count));
                }
                names.addAll(added);
                String literal = text(random, 1);
                text.append('{').append(operator).append(String.join(",", added)).append('}');
                text.append(literal);
                regex.append(Pattern.quote(literal));
            }
            return new RandomTemplate(text.toString(), regex.toString(), names);
        }

        private static String value(String operator, int index, int count) {
            List<String> texts = VALUES.get(operator);
            String before = texts.get(index == 0 ? 0 : 1);
            String value = texts.get(2);
            if (count > 1) {
                value = value.equals(".*") ? "[^,]*" : value;
                value = operator.equals(".") ? "[^/?#.]+" : value;
            }
            return before.isEmpty() ? "(" + value + ")" : "(?:" + before + "(" + value + "))?";
        }

        Optional<List<String>> values(String uri) {
            Matcher matcher = Pattern.compile(regex, Pattern.DOTALL).matcher(uri);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            List<String> values = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                values.add(matcher.group(i + 1));
            }
            boolean isRefused = values.stream().anyMatch(each -> each != null && climbs(each));
            return isRefused ? Optional.empty() : Optional.of(values);
        }

        private static boolean climbs(String value) {
            return List.of(value.split("/")).contains("..");
        }

        List<String> ordered(Map<String, String> found) {
            return names.stream().map(found::get).toList();
        }
    }

    @Test
    void refusesATemplateOverItsLimits() {
        String longest = "a".repeat(8_192 - 3) + "{x}";
        assertThat(new UriTemplate(longest).variables()).containsExactly("x");
        assertThatThrownBy(() -> new UriTemplate("a" + longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a URI template must have at most 8192 characters but has 8193");
        assertThatThrownBy(() -> new UriTemplate("x:{a" + ".a".repeat(200_000) + "}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a URI template must have at most 8192 characters but has 400005");

        String most = variables(0, 50) + "/" + variables(50, 100);
        assertThat(new UriTemplate(most).variables()).hasSize(100);
        assertThatThrownBy(() -> new UriTemplate(most + "{x}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("cannot be used: it has more than 100 variables");
    }

    private static String variables(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "v" + i)
                .collect(Collectors.joining(",", "{", "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A9_", "a.b.c", "0._"})
    void takesNamesOfVariables(String name) {
        assertThat(new UriTemplate("{" + name + "}").variables()).containsExactly(name);
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
                "a://{x.}",
                "a://{..x}",
                "a://{x,}",
                "a://{ä}",
                "a://{|x}"
            })
    void refusesTemplatesThatItDoesNotKnow(String template) {
        assertThatThrownBy(() -> new UriTemplate(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(template);
    }
}
