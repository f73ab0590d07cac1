package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names and types of the author that could mean something else in the code that is written. */
class NamesTest {
    private static final String IMPORTS =
            """
            package shop;
            import dev.fairlead.json.*;
            import dev.fairlead.protocol.Caller;
            import dev.fairlead.server.annotation.*;
            import java.util.*;
            """;

    @TempDir Path directory;

    private void compiles(String name, String source, String... siblings) {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("shop/" + name + ".java", IMPORTS + source);
        for (String sibling : siblings) {
            sources.put(
                    "shop/" + sibling + ".java",
                    "package shop; record " + sibling + "(int number) {}");
        }
        assertThat(Compiled.of(directory, sources).messages()).isEmpty();
    }

    @Test
    void aTypeMayBeCalledType() {
        compiles(
                "Shop",
                """
                class Shop {
                    enum Type { BIG, SMALL }
                    /** Buys. */ @McpTool void buy(Type type) {}
                }
                """);
    }

    @Test
    void aParameterMayBeCalledLikeAConstant() {
        compiles(
                "Shop",
                """
                class Shop {
                    record Isbn(String value) {}
                    /** Buys. */ @McpTool void buy(Isbn ISBN, int TYPE) {}
                }
                """);
    }

    @Test
    void methodsMayDifferInTheCaseOfTheirFirstLetter() {
        compiles(
                "Shop",
                """
                class Shop {
                    /** Buys. */ @McpTool void buy(int amount) {}
                    /** Buys. */ @McpTool void Buy(int amount) {}
                }
                """);
    }

    @Test
    void methodsMayBeCalledLikeWordsOfTheLanguage() {
        compiles(
                "Shop",
                """
                class Shop {
                    /** Buys. */ @McpTool void yield(int yield, int record) {}
                    /** Buys. */ @McpTool void record(int a) {}
                    /** Buys. */ @McpTool void sealed(int a) {}
                    /** Buys. */ @McpTool void hashCode(int a) {}
                }
                """);
    }

    @Test
    void aClassMayHaveALowerCaseName() {
        compiles(
                "shop_",
                """
                class shop_ {
                    /** Buys. */ @McpTool(visibleTo = "all") void buy() {}
                    static boolean all(Caller caller) { return true; }
                }
                """);
    }

    @Test
    void dollarsAndQuotesAreTakenAsTheyAre() {
        compiles(
                "Shop",
                """
                class Shop {
                    /** Costs $5, {@code $T} or "$$L" \\*&#47;. */
                    @McpTool(name = "buy", title = "$S \\" \\\\u0041 */ \\t é")
                    void buy$now(@Default("$L") @Doc("$T\\n$$") String $S, int $$L) {}
                }
                """);
    }

    @Test
    void classesOfThePackageMayBeCalledLikeThoseOfJavaLang() {
        compiles(
                "Shop",
                """
                class Shop {
                    /** Buys. */ @McpTool void buy(long a, @Size(min = 1) java.lang.String b) {}
                }
                """,
                "String",
                "Integer",
                "Long",
                "Void");
    }

    @Test
    void classesOfThePackageMayBeCalledLikeThoseOfTheLibrary() {
        compiles(
                "Shop",
                """
                class Shop {
                    /** Buys. */ @McpTool List<Features> buy(Objects a, Consumer b) {
                        return List.of();
                    }
                }
                """,
                "Features",
                "Objects",
                "Consumer");
    }

    @Test
    void typesMayHaveWildcards() {
        compiles(
                "Shop",
                """
                class Shop {
                    enum Pace { FAST }
                    record Box<T>(T value, List<T> more) {}
                    /** Buys. */ @McpTool void buy(List<? super Integer> a, List<?> b) {}
                    /** Sells. */ @McpTool
                    void sell(Box<? extends Pace> a, Box<?> b, Box<? super Pace> c) {}
                }
                """);
    }
}
