package aisle.analysis;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.elasticsearch.common.regex.Regex;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** The tokenizers keyword, whitespace, letter, pattern, ngram, edge_ngram and char_group. */
final class Tokenizers {

    private static final Set<String> GROUPS = Set.of("letter", "digit", "whitespace", "punctuation", "symbol");

    private Tokenizers() {}

    static Map<String, AnalysisProvider<TokenizerFactory>> configurable() {
        return Map.of(
            "keyword", (index, environment, name, settings) -> keyword(name, settings),
            "whitespace", (index, environment, name, settings) -> whitespace(name, settings),
            "letter", (index, environment, name, settings) -> TokenizerFactory.newFactory(name, LetterTokenizer::new),
            "pattern", (index, environment, name, settings) -> pattern(name, settings),
            "ngram", (index, environment, name, settings) -> ngram(name, index, settings),
            "edge_ngram", (index, environment, name, settings) -> edgeNgram(name, settings),
            "char_group", (index, environment, name, settings) -> charGroup(name, settings)
        );
    }

    static List<PreConfiguredTokenizer> ready() {
        int min = NGramTokenizer.DEFAULT_MIN_NGRAM_SIZE;
        int max = NGramTokenizer.DEFAULT_MAX_NGRAM_SIZE;
        return List.of(
            PreConfiguredTokenizer.singleton("keyword", KeywordTokenizer::new),
            PreConfiguredTokenizer.singleton("whitespace", WhitespaceTokenizer::new),
            PreConfiguredTokenizer.singleton("letter", LetterTokenizer::new),
            PreConfiguredTokenizer.singleton("pattern", () -> new PatternTokenizer(Regex.compile("\\W+", null), -1)),
            PreConfiguredTokenizer.singleton("ngram", NGramTokenizer::new),
            PreConfiguredTokenizer.singleton("edge_ngram", () -> new EdgeNGramTokenizer(min, max))
        );
    }

    private static TokenizerFactory keyword(String name, Settings settings) {
        int buffer = settings.getAsInt("buffer_size", 256);
        return TokenizerFactory.newFactory(name, () -> new KeywordTokenizer(buffer));
    }

    private static TokenizerFactory whitespace(String name, Settings settings) {
        int length = settings.getAsInt("max_token_length", StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH);
        return TokenizerFactory.newFactory(
            name,
            () -> new WhitespaceTokenizer(TokenStream.DEFAULT_TOKEN_ATTRIBUTE_FACTORY, length)
        );
    }

    private static TokenizerFactory pattern(String name, Settings settings) {
        Pattern pattern = Regex.compile(settings.get("pattern", "\\W+"), settings.get("flags"));
        int group = settings.getAsInt("group", -1);
        return TokenizerFactory.newFactory(name, () -> new PatternTokenizer(pattern, group));
    }

    private static TokenizerFactory ngram(String name, IndexSettings index, Settings settings) {
        int min = settings.getAsInt("min_gram", NGramTokenizer.DEFAULT_MIN_NGRAM_SIZE);
        int max = settings.getAsInt("max_gram", NGramTokenizer.DEFAULT_MAX_NGRAM_SIZE);
        Ngrams.checkDifference(index, min, max, "Tokenizer");
        IntPredicate chars = tokenChars(settings);
        return TokenizerFactory.newFactory(name, () -> new NGramTokenizer(min, max) {
            @Override
            protected boolean isTokenChar(int c) {
                return chars == null || chars.test(c);
            }
        });
    }

    private static TokenizerFactory edgeNgram(String name, Settings settings) {
        int min = settings.getAsInt("min_gram", NGramTokenizer.DEFAULT_MIN_NGRAM_SIZE);
        int max = settings.getAsInt("max_gram", NGramTokenizer.DEFAULT_MAX_NGRAM_SIZE);
        IntPredicate chars = tokenChars(settings);
        return TokenizerFactory.newFactory(name, () -> new EdgeNGramTokenizer(min, max) {
            @Override
            protected boolean isTokenChar(int c) {
                return chars == null || chars.test(c);
            }
        });
    }

    private static IntPredicate tokenChars(Settings settings) {
        List<String> names = settings.getAsList("token_chars");
        return names.isEmpty() ? null : CharClasses.anyOf(names, settings.get("custom_token_chars"));
    }

    private static TokenizerFactory charGroup(String name, Settings settings) {
        int length = settings.getAsInt("max_token_length", CharTokenizer.DEFAULT_MAX_WORD_LEN);
        BitSet separators = new BitSet();
        IntPredicate groups = c -> false;
        for (String entry : settings.getAsList("tokenize_on_chars")) {
            if (GROUPS.contains(entry)) {
                groups = groups.or(CharClasses.named(entry));
            } else {
                separators.set(separator(entry));
            }
        }
        IntPredicate separates = groups.or(separators::get);
        return TokenizerFactory.newFactory(
            name,
            () -> new CharTokenizer(TokenStream.DEFAULT_TOKEN_ATTRIBUTE_FACTORY, length) {
                @Override
                protected boolean isTokenChar(int c) {
                    return !separates.test(c);
                }
            }
        );
    }

    /** Parses one character, literal or escaped; a lone backslash stands for itself. */
    private static char separator(String entry) {
        if (entry.isEmpty()) {
            throw new IllegalArgumentException("[tokenize_on_chars] cannot contain empty characters");
        }
        String text = entry.length() > 1 && entry.charAt(0) == '\\' ? Rules.unescape(entry) : entry;
        if (text.length() != 1) {
            throw new IllegalArgumentException("Invalid escaped char in [" + entry + "]");
        }
        return text.charAt(0);
    }
}
