package aisle.analysis;

import static org.elasticsearch.plugins.AnalysisPlugin.requiresAnalysisSettings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.PatternKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.StemmerOverrideFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** The token filters except stemmer and word_delimiter_graph, which have files of their own. */
final class TokenFilters {

    private TokenFilters() {}

    static Map<String, AnalysisProvider<TokenFilterFactory>> configurable() {
        return Map.ofEntries(
            Map.entry("asciifolding", (index, environment, name, settings) -> asciifolding(name, settings)),
            Map.entry("edge_ngram", (index, environment, name, settings) -> edgeNgram(name, settings)),
            Map.entry("flatten_graph", (index, environment, name, settings) -> Factories.filter(name, FlattenGraphFilter::new)),
            Map.entry("keyword_marker", requiresAnalysisSettings((index, environment, name, settings) -> keywordMarker(name, environment, settings))),
            Map.entry("length", (index, environment, name, settings) -> length(name, settings)),
            Map.entry("limit", (index, environment, name, settings) -> limit(name, settings)),
            Map.entry("lowercase", (index, environment, name, settings) -> lowercase(name, settings)),
            Map.entry("ngram", (index, environment, name, settings) -> ngram(name, index, settings)),
            Map.entry("pattern_replace", requiresAnalysisSettings((index, environment, name, settings) -> patternReplace(name, settings))),
            Map.entry("remove_duplicates", (index, environment, name, settings) -> Factories.filter(name, RemoveDuplicatesTokenFilter::new)),
            Map.entry("reverse", (index, environment, name, settings) -> Factories.filter(name, ReverseStringFilter::new)),
            Map.entry("stemmer", (index, environment, name, settings) -> Stemmers.stemmer(name, settings)),
            Map.entry("stemmer_override", requiresAnalysisSettings((index, environment, name, settings) -> stemmerOverride(name, environment, settings))),
            Map.entry("trim", (index, environment, name, settings) -> Factories.normalizing(name, TrimFilter::new)),
            Map.entry("truncate", requiresAnalysisSettings((index, environment, name, settings) -> truncate(name, settings))),
            Map.entry("unique", (index, environment, name, settings) -> unique(name, settings)),
            Map.entry("word_delimiter_graph", (index, environment, name, settings) -> WordDelimiter.graph(name, environment, settings))
        );
    }

    /** Filters that can be named without settings; keyword_repeat has no other form. */
    static List<PreConfiguredTokenFilter> ready() {
        return List.of(
            PreConfiguredTokenFilter.singleton("asciifolding", true, ASCIIFoldingFilter::new),
            PreConfiguredTokenFilter.singleton("edge_ngram", false, false, in -> new EdgeNGramTokenFilter(in, 1)),
            PreConfiguredTokenFilter.singleton("keyword_repeat", false, false, KeywordRepeatFilter::new),
            PreConfiguredTokenFilter.singleton("length", false, in -> new LengthFilter(in, 0, Integer.MAX_VALUE)),
            PreConfiguredTokenFilter.singleton("limit", false, in -> new LimitTokenCountFilter(in, 1, false)),
            PreConfiguredTokenFilter.singleton("ngram", false, false, in -> new NGramTokenFilter(in, 1, 2, false)),
            PreConfiguredTokenFilter.singleton("reverse", false, ReverseStringFilter::new),
            PreConfiguredTokenFilter.singleton("stemmer", false, PorterStemFilter::new),
            PreConfiguredTokenFilter.singleton("trim", true, TrimFilter::new),
            PreConfiguredTokenFilter.singleton("truncate", false, in -> new TruncateTokenFilter(in, 10)),
            PreConfiguredTokenFilter.singleton("unique", false, in -> new UniqueFilter(in, false)),
            PreConfiguredTokenFilter.singleton("word_delimiter_graph", false, false, WordDelimiter::ready)
        );
    }

    private static TokenFilterFactory asciifolding(String name, Settings settings) {
        boolean preserve = settings.getAsBoolean("preserve_original", false);
        return Factories.normalizing(
            name,
            input -> new ASCIIFoldingFilter(input, preserve),
            input -> new ASCIIFoldingFilter(input, false)
        );
    }

    private static TokenFilterFactory edgeNgram(String name, Settings settings) {
        int min = settings.getAsInt("min_gram", 1);
        int max = settings.getAsInt("max_gram", 2);
        boolean preserve = settings.getAsBoolean("preserve_original", false);
        boolean back = switch (settings.get("side", "front")) {
            case "front" -> false;
            case "back" -> true;
            default -> throw new IllegalArgumentException("invalid side: " + settings.get("side"));
        };
        return Factories.filter(name, input -> {
            TokenStream grams = new EdgeNGramTokenFilter(back ? new ReverseStringFilter(input) : input, min, max, preserve);
            return back ? new ReverseStringFilter(grams) : grams;
        });
    }

    private static TokenFilterFactory ngram(String name, IndexSettings index, Settings settings) {
        int min = settings.getAsInt("min_gram", 1);
        int max = settings.getAsInt("max_gram", 2);
        boolean preserve = settings.getAsBoolean("preserve_original", false);
        Ngrams.checkDifference(index, min, max, "Token Filter");
        return Factories.filter(name, input -> new NGramTokenFilter(input, min, max, preserve));
    }

    private static TokenFilterFactory keywordMarker(String name, Environment environment, Settings settings) {
        String pattern = settings.get("keywords_pattern");
        CharArraySet words = Analysis.getWordSet(environment, settings, "keywords");
        if ((pattern == null) == (words == null)) {
            throw new IllegalArgumentException(
                "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured"
            );
        }
        if (pattern != null) {
            Pattern compiled = Pattern.compile(pattern);
            return Factories.filter(name, input -> new PatternKeywordMarkerFilter(input, compiled));
        }
        CharArraySet keywords = new CharArraySet(words, settings.getAsBoolean("ignore_case", false));
        return Factories.filter(name, input -> new SetKeywordMarkerFilter(input, keywords));
    }

    private static TokenFilterFactory length(String name, Settings settings) {
        int min = settings.getAsInt("min", 0);
        int max = settings.getAsInt("max", Integer.MAX_VALUE);
        return Factories.filter(name, input -> new LengthFilter(input, min, max));
    }

    private static TokenFilterFactory limit(String name, Settings settings) {
        int count = settings.getAsInt("max_token_count", 1);
        boolean consumeAll = settings.getAsBoolean("consume_all_tokens", false);
        return Factories.filter(name, input -> new LimitTokenCountFilter(input, count, consumeAll));
    }

    private static TokenFilterFactory lowercase(String name, Settings settings) {
        String language = settings.get("language");
        return switch (language) {
            case null -> Factories.normalizing(name, LowerCaseFilter::new);
            case "greek" -> Factories.normalizing(name, GreekLowerCaseFilter::new);
            case "irish" -> Factories.normalizing(name, IrishLowerCaseFilter::new);
            case "turkish" -> Factories.normalizing(name, TurkishLowerCaseFilter::new);
            default -> throw new IllegalArgumentException("language [" + language + "] not support for lower case");
        };
    }

    private static TokenFilterFactory patternReplace(String name, Settings settings) {
        Pattern pattern = CharFilters.Patterns.required(settings, name, "token filter");
        String replacement = settings.get("replacement", "");
        boolean all = settings.getAsBoolean("all", true);
        return Factories.normalizing(name, input -> new PatternReplaceFilter(input, pattern, replacement, all));
    }

    private static TokenFilterFactory stemmerOverride(String name, Environment environment, Settings settings) throws IOException {
        List<String> rules = Analysis.getWordList(environment, settings, "rules");
        if (rules == null) {
            throw new IllegalArgumentException("stemmer override filter requires either `rules` or `rules_path` to be configured");
        }
        StemmerOverrideFilter.Builder builder = new StemmerOverrideFilter.Builder(false);
        for (String rule : rules) {
            addOverride(builder, rule);
        }
        StemmerOverrideFilter.StemmerOverrideMap overrides = builder.build();
        return Factories.filter(name, input -> new StemmerOverrideFilter(input, overrides));
    }

    /** {@code word, other => stem} */
    private static void addOverride(StemmerOverrideFilter.Builder builder, String rule) {
        String[] sides = rule.split("=>", -1);
        List<String> words = new ArrayList<>();
        for (String word : sides[0].split(",", -1)) {
            words.add(word.trim());
        }
        if (sides.length != 2 || words.contains("") || sides[1].isBlank() || sides[1].contains(",")) {
            throw new IllegalArgumentException("Invalid Keyword override Rule:" + rule);
        }
        words.forEach(word -> builder.add(word, sides[1].trim()));
    }

    private static TokenFilterFactory truncate(String name, Settings settings) {
        int length = settings.getAsInt("length", -1);
        if (length <= 0) {
            throw new IllegalArgumentException("length parameter must be provided");
        }
        return Factories.filter(name, input -> new TruncateTokenFilter(input, length));
    }

    private static TokenFilterFactory unique(String name, Settings settings) {
        boolean samePosition = settings.getAsBoolean("only_on_same_position", false);
        return Factories.filter(name, input -> new UniqueFilter(input, samePosition));
    }
}
