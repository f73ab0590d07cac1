package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Wrong shapes, each with the place that the compiler points at. That place is marked in the source
 * by {@code »}.
 */
class ErrorsTest {
    private static final String IMPORTS =
            """
            import dev.fairlead.json.*;
            import dev.fairlead.protocol.*;
            import dev.fairlead.protocol.completion.*;
            import dev.fairlead.protocol.content.*;
            import dev.fairlead.protocol.elicitation.*;
            import dev.fairlead.protocol.prompts.*;
            import dev.fairlead.protocol.resources.*;
            import dev.fairlead.protocol.sampling.*;
            import dev.fairlead.protocol.tools.*;
            import dev.fairlead.server.handler.*;
            import dev.fairlead.server.annotation.*;
            import org.jspecify.annotations.Nullable;
            import java.util.*;
            """;

    @TempDir Path directory;

    /** Compiles the members of a class, and compares the errors with those at the marks. */
    private void refused(String members, String... messages) {
        refusedClass("class Shop {\n" + members + "}\n", messages);
    }

    private void refusedClass(String marked, String... messages) {
        String source = IMPORTS + marked;
        List<String> expected = new ArrayList<>();
        String rest = source;
        StringBuilder clean = new StringBuilder();
        for (int mark = rest.indexOf('»'); mark >= 0; mark = rest.indexOf('»')) {
            clean.append(rest, 0, mark);
            long line = clean.chars().filter(c -> c == '\n').count() + 1;
            int column = clean.length() - clean.lastIndexOf("\n");
            expected.add(
                    "Shop.java:" + line + ":" + column + ": error: " + messages[expected.size()]);
            rest = rest.substring(mark + 1);
        }
        clean.append(rest);
        assertThat(expected).hasSameSizeAs(messages);

        Compiled compiled = Compiled.of(directory, Map.of("Shop.java", clean.toString()));

        assertThat(compiled.messages()).containsExactlyElementsOf(expected);
        assertThat(compiled.succeeded()).isFalse();
        assertThat(directory.resolve("generated/ShopMcp.java")).doesNotExist();
    }

    @Nested
    class Revisions {
        @Test
        void aTimeToKeepContentsIsADuration() {
            refused(
                    """
                    /** Rules. */ @McpResource(value = "x:rules", cacheFor = »"1h") String rules() {
                        return ""; }
                    /** More. */ @McpResource(value = "x:more", cacheFor = »"PT-1S") String more() {
                        return ""; }
                    """,
                    "a time to keep contents is a duration such as PT1H but was 1h",
                    "a time to keep contents must not be negative but was PT-1S");
        }

        @Test
        void contentsForEveryCallerAreKeptFromNoCaller() {
            refused(
                    """
                    /** A. */ @McpResource(value = "x:a", cachePublic = »true) String a() {
                        return ""; }
                    /** B. */ @McpResource(value = "x:b", cacheFor = "PT1H", cachePublic = »true,
                        requireScopes = "read") String b() { return ""; }
                    /** C. */ @McpResource(value = "x:c", cacheFor = "PT1H", cachePublic = »true,
                        visibleTo = "isKnown") String c() { return ""; }
                    static boolean isKnown(Caller caller) { return true; }
                    """,
                    "contents that nothing keeps need no scope; give cacheFor = …",
                    "contents that are kept for every caller cannot be kept from some, by visibleTo"
                            + " or requireScopes",
                    "contents that are kept for every caller cannot be kept from some, by visibleTo"
                            + " or requireScopes");
        }

        @Test
        void whatDecidesAboutTasksIsForToolsThatMayBeOne() {
            refused(
                    """
                    /** Buys. */ @McpTool(taskWhen = »"takesLong") void buy() {}
                    /** Sells. */ @McpTool(task = TaskSupport.REQUIRED, taskWhen = »"takesLong")
                    void sell() {}
                    /** Gives. */ @McpTool(taskLater = »true) void give() {}
                    /** Takes. */ @McpTool(task = TaskSupport.OPTIONAL, taskLater = »true,
                        holdsWhileAsking = true) void take() {}
                    boolean takesLong() { return true; }
                    """,
                    "taskWhen of the tool buy needs task = TaskSupport.OPTIONAL",
                    "taskWhen of the tool sell needs task = TaskSupport.OPTIONAL",
                    "an option of tasks needs task = OPTIONAL or REQUIRED",
                    "taskLater starts the method again, which holdsWhileAsking forbids: remove"
                            + " one of them");
        }

        @Test
        void whatDecidesAboutTasksTakesArgumentsOfItsTool() {
            refused(
                    """
                    /** A. */ @McpTool(task = TaskSupport.OPTIONAL, taskWhen = »"none") void a() {}
                    /** B. */ @McpTool(task = TaskSupport.OPTIONAL, taskWhen = "text") void b() {}
                    String »text() { return ""; }
                    /** C. */ @McpTool(task = TaskSupport.OPTIONAL, taskWhen = "byAmount")
                    void c(int amount) {}
                    boolean byAmount(long »amount) { return true; }
                    """,
                    "Shop has no method none",
                    "a method that decides about tasks gives a boolean and throws no checked"
                            + " exception",
                    "a method that decides about tasks takes a Caller and arguments of its tool,"
                            + " which has [int amount]");
        }
    }

    @Nested
    class Methods {
        @Test
        void aPrivateMethodIsRefused() {
            refused(
                    """
                    /** Buys. */ @McpTool
                    private void »buy() {}
                    """,
                    "the method buy is private; the code that is written for Shop calls it from the"
                            + " same package");
        }

        @Test
        void typeParametersAreRefused() {
            refused(
                    """
                    /** Buys. */ @McpTool <T> void »buy(T thing) {}
                    """,
                    "the method buy has type parameters, for which a caller has no types");
        }

        @Test
        void onlyExceptionsMayBeThrown() {
            refused(
                    """
                    /** Buys. */ @McpTool void »buy() throws Throwable {}
                    """,
                    "the method buy throws java.lang.Throwable, but a handler throws subclasses of"
                            + " Exception");
        }

        @Test
        void aResultIsNeverNull() {
            refused(
                    """
                    /** Buys. */ @McpTool @Nullable String »buy() { return null; }
                    """,
                    "the method buy may give null, but a result is never null; return an Optional,"
                            + " or throw an exception");
        }

        @Test
        void aResultWithAWildcardIsRefused() {
            refused(
                    """
                    /** Buys. */ @McpTool List<? extends Number> »buy() { return List.of(); }
                    """,
                    "the method buy returns a type with a wildcard; name the type itself");
        }

        @Test
        void aResultWithoutJsonFormIsRefused() {
            refused(
                    """
                    /** Buys. */ @McpTool java.util.concurrent.Future<String> »buy() { return null; }
                    """,
                    "the result of the method buy: java.util.concurrent.Future<java.lang.String>"
                            + " has no JSON form; "
                            + TypeReader.KNOWN);
        }

        @Test
        void twoFeaturesOfOneNameAreRefused() {
            refused(
                    """
                    /** Buys. */ @McpTool void buy() {}
                    /** Buys. */ »@McpTool void buy(int amount) {}
                    """,
                    "the tool buy is declared twice");
        }

        @Test
        void everyFaultIsReportedAtOnce() {
            refused(
                    """
                    /** Buys. */ @McpTool void buy(char »letter, Thread »thread) {}
                    /** Sells. */ @McpTool private void »sell() {}
                    """,
                    "the parameter letter: char has no JSON form; " + TypeReader.KNOWN,
                    "the parameter thread: java.lang.Thread has no JSON form; " + TypeReader.KNOWN,
                    "the method sell is private; the code that is written for Shop calls it from"
                            + " the same package");
        }
    }

    @Nested
    class Classes {
        @Test
        void typeParametersAreRefused() {
            refusedClass(
                    """
                    »class Shop<T> {
                        /** Buys. */ @McpTool void buy() {}
                    }
                    """,
                    "Shop has type parameters, for which its features have no types");
        }

        @Test
        void aPrivateClassIsRefused() {
            refusedClass(
                    """
                    class Shop {
                        private static »class Till {
                            /** Buys. */ @McpTool void buy() {}
                        }
                    }
                    """,
                    "the features of Till are declared by a class of the same package, but Till is"
                            + " private");
        }

        @Test
        void anInnerClassOfAGenericOneIsRefused() {
            refusedClass(
                    """
                    class Shop<T> {
                        »class Till {
                            /** Buys. */ @McpTool void buy() {}
                        }
                    }
                    """,
                    "Till has type parameters, for which its features have no types");
        }

        @Test
        void whatIsMissingIsReportedByTheCompilerAlone() {
            refused(
                    """
                    /** Buys. */ @McpTool void buy(List<»Missing> x) {}
                    /** Sells. */ @McpTool(name = »Names.SELL) void sell() {}
                    """,
                    "cannot find symbol\n  symbol:   class Missing\n  location: class Shop",
                    "cannot find symbol\n  symbol:   variable Names\n  location: class Shop");
        }

        @Test
        void aConstantThatIsMissingIsReportedByTheCompilerAlone() {
            refused(
                    """
                    /** Sells. */ @McpTool(name = »Names.SELL) void sell() {}
                    """,
                    "cannot find symbol\n  symbol:   variable Names\n  location: class Shop");
        }

        @Test
        void aClassOfTheNameThatIsWrittenIsInTheWay() {
            refusedClass(
                    """
                    »class Shop {
                        /** Buys. */ @McpTool void buy() {}
                    }
                    class ShopMcp {}
                    """,
                    "the class ShopMcp, which is written for this one, is there already");
        }
    }

    /** Types that another library of JSON would write otherwise. */
    @Nested
    class Foreign {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "record It(String a, @JsonIgnore String b) {}|It.b has @JsonIgnore, which is of"
                            + " Jackson and not read here: use a record without the hidden members",
                    "record It(@JsonProperty(\"x\") String a) {}|It.a has @JsonProperty, which is"
                        + " of Jackson and not read here: write @JsonName with the same name beside"
                        + " it",
                    "record It(String a) { @JsonIgnore public String a() { return a; } }|It.a() has"
                            + " @JsonIgnore, which is of Jackson and not read here: use a record"
                            + " without the hidden members",
                    "record It(String a, boolean b) { @JsonCreator It(@JsonProperty(\"a\") String"
                        + " a) { this(a, false); } }|It.It(java.lang.String) has @JsonCreator,"
                        + " which is of Jackson and not read here: use a record that is made of all"
                        + " its components",
                    "record It(String a) { @java.beans.Transient public String a() { return a; }"
                            + " }|It.a() has @Transient, which is of Java Beans and not read here:"
                            + " use a record without the hidden members",
                    "@JsonFormat enum It { A }|It has @JsonFormat, which is of Jackson and not read"
                            + " here: use a type of its own, with the annotations of"
                            + " dev.fairlead.json",
                    "enum It { @JsonProperty(\"x\") A }|It.A has @JsonProperty, which is of Jackson"
                            + " and not read here: write @JsonName with the same name beside it",
                    "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME) sealed interface It { record A()"
                        + " implements It {} }|It has @JsonTypeInfo, which is of Jackson and not"
                        + " read here: write @JsonDiscriminator on the sealed interface and"
                        + " @JsonName on its records, in a type of its own",
                    "record It(@JsonPropertyDescription(\"The a\") String a) {}|It.a has"
                        + " @JsonPropertyDescription, which is of Jackson and not read here: write"
                        + " @Doc with the same text beside it",
                    "@JsonClassDescription(\"It\") record It(String a) {}|It has"
                            + " @JsonClassDescription, which is of Jackson and not read here: write"
                            + " @Doc with the same text beside it",
                    "record It(@JsonProperty(defaultValue = \"3\") int a) {}|It.a has"
                        + " @JsonProperty, which is of Jackson and not read here: write @Default"
                        + " with the same value beside it",
                    "record It(@JsonProperty(required = true) @Nullable String a) {}|It.a has"
                            + " @JsonProperty, which is of Jackson and not read here: leave out"
                            + " required, or make the component one that must be there",
                    "record It(@JsonProperty(required = true) java.util.Optional<String> a) {}|It.a"
                            + " has @JsonProperty, which is of Jackson and not read here: leave out"
                            + " required, or make the component one that must be there",
                    "record It(@Secret String a) {}"
                        + " @com.fasterxml.jackson.annotation.JacksonAnnotationsInside @JsonIgnore"
                        + " @interface Secret {}|It.a has @Secret, which stands for annotations of"
                        + " Jackson and is not read here: use a type of its own, with the"
                        + " annotations of dev.fairlead.json"
                })
        void areRefused(String type, String message) {
            refusedClass(
                    """
                    import com.fasterxml.jackson.annotation.*;
                    class Shop { /** Gets. */ @McpTool It »get() { return null; } }
                    """
                            + type.replaceAll("\\s+", " "),
                    "the result of the method get: " + message.replaceAll("\\s+", " "));
        }

        @Test
        void onAParameterAreRefused() {
            refusedClass(
                    """
                    import com.fasterxml.jackson.annotation.*;
                    class Shop { /** Buys. */ @McpTool void buy(@JsonProperty("n") int »x) {} }
                    """,
                    "the parameter x has @JsonProperty, which is of Jackson and not read here:"
                            + " write @JsonName with the same name beside it");
        }

        @Test
        void besideOurOwnAreTaken() {
            Compiled compiled =
                    Compiled.of(
                            directory,
                            Map.of(
                                    "Shop.java",
                                    IMPORTS
                                            + """
                                            import com.fasterxml.jackson.annotation.*;
                                            class Shop {
                                                /** Buys. */ @McpTool It buy(It it) { return it; }
                                                @JsonClassDescription("It") @Doc("It")
                                                record It(@JsonProperty("x") @JsonName("x") String a,
                                                        @JsonProperty(required = true) String b,
                                                        @JsonPropertyDescription("c") @Doc("c") String c,
                                                        @JsonProperty(defaultValue = "3") @Default("3")
                                                                int d) { @JsonCreator It {} }
                                            }
                                            """));
            assertThat(compiled.messages()).isEmpty();
            assertThat(compiled.succeeded()).isTrue();
        }
    }

    @Nested
    class Parameters {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "@Range(max = 1) String|@Range is for numbers, not for x",
                    "@Size(min = 1) int|@Size is for strings, lists, sets, arrays and maps, not for"
                            + " x",
                    "@Size(min = 2, max = 1) String|@Size(min = 2, max = 1) allows nothing",
                    "@Range(min = 2, max = 1) int|@Range(min = 2, max = 1) allows nothing",
                    "@Matches(\"a\") int|@Matches is for strings, not for x",
                    "@Format(\"email\") int|@Format is for strings, not for x",
                    "@Header(\"X\") double|@Header is for strings, integers and booleans, not for"
                            + " x",
                    "@Header(\"Re gion\") String|@Header(\"Re gion\") must be a token of RFC 9110",
                    "@Header(\"\") String|@Header(\"\") must not be empty",
                    "@Default(\"much\") int|@Default(\"much\") does not fit x",
                    "@Default(\"KIND\") ElicitAction|@Default(\"KIND\") does not fit x"
                })
        void annotationsMustFitTheirType(String declaration, String message) {
            refused(
                    "/** Buys. */ @McpTool void buy(»" + declaration + " x) {}\n",
                    message.replaceAll("\\s+", " "));
        }

        @Test
        void aDefaultMustSatisfyTheConstraints() {
            refused(
                    """
                    /** Buys. */ @McpTool void buy(@Range(max = 5) »@Default("6") int x) {}
                    """,
                    "@Default(\"6\") does not fit x (must be at most 5)");
        }

        @Test
        void aPrimitiveIsNeverNull() {
            refused(
                    """
                    /** Buys. */ @McpTool void buy(@Nullable int »x) {}
                    """,
                    "x is a primitive and never null");
        }

        @Test
        void theConstantsOfAnEnumAreNamed() {
            refused(
                    """
                    enum Pace { FAST, @JsonName("slow") SLOW }
                    /** Buys. */ @McpTool void buy(»@Default("SLOW") Pace pace) {}
                    """,
                    "@Default(\"SLOW\") does not fit pace, which is one of FAST, slow");
        }

        @Test
        void twoParametersOfOneNameAreRefused() {
            refused(
                    """
                    /** Buys. */ @McpTool void buy(int x, »@JsonName("x") int y) {}
                    """,
                    "two parameters are named x");
        }

        @Test
        void aFaultInsideOfATypeIsTracedToIt() {
            refused(
                    """
                    record Order(List<Line> lines) {}
                    record Line(java.util.Date day) {}
                    /** Buys. */ @McpTool void buy(int x, Order »order) {}
                    """,
                    "the parameter order: Order.lines: Line.day: java.util.Date has no JSON form; "
                            + TypeReader.KNOWN);
        }

        @Test
        void aPrivateRecordCannotBeReached() {
            refused(
                    """
                    private record Order(int x) {}
                    /** Buys. */ @McpTool void buy(Order »order) {}
                    """,
                    "the parameter order: Shop.Order cannot be reached by the code that is written:"
                            + " Order is private");
        }

        @Test
        void constantsOfOneNameAreRefused() {
            refused(
                    """
                    enum Pace { @JsonName("x") FAST, @JsonName("x") SLOW }
                    /** Buys. */ @McpTool void buy(Pace »pace) {}
                    """,
                    "the parameter pace: Shop.Pace has two constants named x");
        }

        @Test
        void componentsMustMakeARecordTogether() {
            refused(
                    """
                    record Order(@JsonName("x") String a, String x) {}
                    @JsonInline record Id(String a, String b) {}
                    /** Buys. */ @McpTool void buy(Order »order, Id »id) {}
                    """,
                    "the parameter order: Order has two members named x",
                    "the parameter id: @JsonInline is for records of one component, not for Id");
        }

        @Test
        void casesOfOneNameAreRefused() {
            refused(
                    """
                    sealed interface Payment {}
                    @JsonName("x") record Card() implements Payment {}
                    @JsonName("x") record Cash() implements Payment {}
                    /** Buys. */ @McpTool void buy(Payment »payment) {}
                    """,
                    "the parameter payment: Shop.Payment has two cases named x");
        }

        @Test
        void aCaseOfOtherTypeArgumentsIsRefused() {
            refused(
                    """
                    sealed interface Result<T> {}
                    record Ok<T>(T value) implements Result<T> {}
                    @SuppressWarnings("rawtypes") record Failed() implements Result {}
                    /** Buys. */ @McpTool void buy(Result<String> »result) {}
                    """,
                    "the parameter result: Shop.Failed is a case of Shop.Result but not of"
                            + " Shop.Result<java.lang.String>");
        }

        @Test
        void rawTypesAreRefused() {
            refused(
                    """
                    /** Buys. */ @SuppressWarnings("rawtypes") @McpTool void buy(List »x) {}
                    """,
                    "the parameter x: java.util.List lacks its type arguments");
        }
    }

    @Nested
    class Tools {
        @Test
        void aToolNeedsADescription() {
            refused(
                    """
                    »@McpTool void buy() {}
                    """,
                    "the tool buy has no description, by which it is chosen: write a Javadoc"
                            + " comment or description = …");
        }

        @Test
        void aNameIsOfTheCharactersOfTheProtocol() {
            refused(
                    """
                    /** Buys. */ @McpTool(name = »"buy/it") void buy() {}
                    """,
                    "a tool name must be 1 to 128 characters from A-Z a-z 0-9 _ - . but was"
                            + " \"buy/it\"; give it by name = …");
        }

        @Test
        void aToolIsNotDestructiveAndAdditive() {
            refused(
                    """
                    /** Buys. */ @McpTool(destructive = true, additive = »true) void buy() {}
                    """,
                    "a tool is either destructive or additive, which never destroys");
        }

        @ParameterizedTest
        @CsvSource({
            "10s, a timeout is a duration such as PT30S but was 10s",
            "PT0S, a timeout must be positive but was PT0S"
        })
        void aTimeoutIsAPositiveDuration(String timeout, String message) {
            refused(
                    "/** Buys. */ @McpTool(timeout = »\"" + timeout + "\") void buy() {}\n",
                    message);
        }

        @Test
        void onlyAToolForTasksHasOptionsOfTasks() {
            refused(
                    """
                    /** Buys. */ @McpTool(rerunAfterCrash = »true) void buy() {}
                    """,
                    "an option of tasks needs task = OPTIONAL or REQUIRED");
        }

        @Test
        void anIconNeedsASafeSource() {
            refused(
                    """
                    /** Buys. */ @McpTool(icons = »@McpIcon(src = "http://a/b")) void buy() {}
                    """,
                    "the source of an icon must be an https or data URI but was http://a/b");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "[]|meta must be a JSON object but was []",
                })
        void metaIsAnObject(String meta, String message) {
            refused("/** Buys. */ @McpTool(meta = »\"" + meta + "\") void buy() {}\n", message);
        }

        @Test
        void aScopeHasNoSpaces() {
            refused(
                    """
                    /** Buys. */ @McpTool(requireScopes = »"shop:read shop:buy") void buy() {}
                    """,
                    "a scope must be printable ASCII without spaces, \" and \\ but was shop:read"
                            + " shop:buy");
        }

        @Test
        void visibleToMustNameAMethod() {
            refused(
                    """
                    /** Buys. */ @McpTool(visibleTo = »"known") void buy() {}
                    """,
                    "Shop has no method known");
        }

        @Test
        void visibleToMustNameAPredicateOfCaller() {
            refused(
                    """
                    /** Buys. */ @McpTool(visibleTo = "known") void buy() {}
                    boolean »known(String caller) { return true; }
                    """,
                    "a method that says who may see a feature takes a Caller, gives a boolean and"
                            + " throws no checked exception");
        }
    }

    @Nested
    class Resources {
        @Test
        void aParameterNeedsItsVariable() {
            refused(
                    """
                    @McpResource("shop://{id}") String read(String id, String »name) { return id; }
                    """,
                    "the template shop://{id} has no variable name but [id]");
        }

        @Test
        void aVariableNeedsItsParameter() {
            refused(
                    """
                    @McpResource(»"shop://{id}/{part}") String read(String id) { return id; }
                    """,
                    "the variable part has no parameter; the method read has [id]");
        }

        @Test
        void aVariableTravelsAsAString() {
            refused(
                    """
                    @McpResource("shop://{ids}") String read(List<String> »ids) { return ""; }
                    """,
                    "the parameter ids travels as a string and must be a text, number, boolean,"
                            + " date or enum, or a record of one of these with @JsonInline");
        }

        @Test
        void aResourceWithoutVariablesTakesNothing() {
            refused(
                    """
                    @McpResource("shop://all") String read(String »id) { return id; }
                    """,
                    "the resource shop://all has no variables, so its method takes nothing but a"
                            + " Call");
        }

        @Test
        void aTemplateMustBeReadable() {
            refused(
                    """
                    @McpResource(»"shop://{id") String read(String id) { return id; }
                    """,
                    "the URI template \"shop://{id\" cannot be used: { is never closed");
        }

        @Test
        void aUriNeedsAScheme() {
            refused(
                    """
                    @McpResource(»"all") String read() { return ""; }
                    """,
                    "the URI of a resource must have a scheme but was all");
        }

        @Test
        void aUriIsPercentEncoded() {
            refused(
                    """
                    @McpResource(»"shop://größe") String read() { return ""; }
                    """,
                    "the URI of a resource must be percent-encoded, as shop://gr%C3%B6%C3%9Fe, but"
                            + " was shop://größe");
        }

        @Test
        void aResourceHasContents() {
            refused(
                    """
                    @McpResource("shop://all") void »read() {}
                    """,
                    "the resource shop://all has no contents: the method read must return String,"
                            + " byte[], ReadResourceResult, or a type that becomes JSON");
        }

        @Test
        void aTemplateHasNoSize() {
            refused(
                    """
                    @McpResource(value = "shop://{id}", size = »3) String read(String id) { return id; }
                    """,
                    "a size is for one resource, not for a template, and not negative");
        }

        @Test
        void aPriorityIsAShare() {
            refused(
                    """
                    @McpResource(value = "shop://all", priority = »3) String read() { return ""; }
                    """,
                    "a priority must be from 0 to 1 but was 3.0");
        }

        @Test
        void whatIsListedFitsTheVariables() {
            refused(
                    """
                    @McpResource(value = "shop://{id}", list = "all") String read(String id) { return id; }
                    List<Integer> »all() { return List.of(); }
                    """,
                    "the type of the values listed for the variable id must be java.lang.String but"
                            + " was java.lang.Integer");
        }

        @Test
        void whatIsListedMustBeWithinReach() {
            refused(
                    """
                    private record Row(String a, int b) {}
                    @McpResource(value = "x://{a}/{b}", list = "rows")
                    String row(String a, int b) { return a; }
                    List<Row> »rows() { return List.of(); }
                    """,
                    "Shop.Row cannot be reached by the code that is written: Row is private");
        }

        @Test
        void severalVariablesAreListedAsRecords() {
            refused(
                    """
                    record Id(String id) {}
                    @McpResource(value = "shop://{id}/{part}", list = "all")
                    String read(String id, int part) { return id; }
                    List<Id> »all() { return List.of(); }
                    """,
                    "a method that lists resources of several variables returns records with a"
                            + " component for each, but Shop.Id has none for part");
        }
    }

    @Nested
    class Prompts {
        @Test
        void aPromptGivesItsResult() {
            refused(
                    """
                    /** Asks. */ @McpPrompt String »ask() { return ""; }
                    """,
                    "the prompt ask must return a GetPromptResult but returns java.lang.String");
        }

        @Test
        void anArgumentTravelsAsAString() {
            refused(
                    """
                    record Id(String id) {}
                    /** Asks. */ @McpPrompt GetPromptResult ask(Id »id) { return GetPromptResult.of(); }
                    """,
                    "the parameter id travels as a string and must be a text, number, boolean,"
                            + " date or enum, or a record of one of these with @JsonInline");
        }
    }

    @Nested
    class Completions {
        private static final String PROMPT =
                """
                /** Asks. */ @McpPrompt GetPromptResult ask(String whom) { return GetPromptResult.of(); }
                """;

        @Test
        void whatIsCompletedMustBeThere() {
            refused(
                    PROMPT
                            + """
                            @McpComplete(of = »"review", argument = "x")
                            List<String> x(Completion typed) { return List.of(); }
                            """,
                    "Shop declares no prompt and no template review, but the prompt ask");
        }

        @Test
        void theArgumentMustBeThere() {
            refused(
                    PROMPT
                            + """
                            @McpComplete(of = "ask", argument = »"x")
                            List<String> x(Completion typed) { return List.of(); }
                            """,
                    "the prompt ask has no argument x to complete, but [whom]");
        }

        @Test
        void anArgumentIsCompletedOnce() {
            refused(
                    PROMPT
                            + """
                            @McpComplete(of = "ask", argument = "whom")
                            List<String> x(Completion typed) { return List.of(); }
                            @McpComplete(of = "ask", argument = »"whom")
                            List<String> y(Completion typed) { return List.of(); }
                            """,
                    "the argument whom of the prompt ask is completed twice");
        }

        @Test
        void aCompletionGivesStrings() {
            refused(
                    PROMPT
                            + """
                            @McpComplete(of = "ask", argument = "whom")
                            String »x(Completion typed) { return ""; }
                            """,
                    "a method that completes an argument must return List<String> but returns"
                            + " java.lang.String");
        }

        @Test
        void aCompletionTakesWhatIsTyped() {
            refused(
                    PROMPT
                            + """
                            @McpComplete(of = "ask", argument = "whom")
                            List<String> x(String »typed) { return List.of(); }
                            """,
                    "a method that completes an argument takes nothing but a Completion and a"
                            + " Call");
        }
    }
}
